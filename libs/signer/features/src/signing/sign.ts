import { openShare, shareOf, SigningFault, type Commitments } from '@tender/threshold';
import { transaction } from '../ledger/ledger-database';
import { wasBurned } from '../ledger/journal';
import { burn } from '../ledger/operations';
import { lockWithOperation, type HeldWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Refusal, type Reply } from '../service/reply';
import { commitmentsOf } from './commitments-of';
import type { SigningSession, SigningSessions } from './signing-sessions';

/** Gives the share of a signature that was proposed, once. A session that is refused here is over. */
export async function sign(
  parts: SignerParts,
  sessions: SigningSessions,
  { session, body }: Ask<'sign'>,
): Promise<Reply<'sign'>> {
  const begun = sessions.take(session);
  if (begun === null) return unknownSession(parts, session);
  try {
    const commitments = commitmentsOf(parts, begun, body?.commits);
    if ('refused' in commitments) return commitments;
    const wallet = await burned(parts, begun);
    return 'refused' in wallet ? wallet : await give(parts, wallet, begun, commitments);
  } finally {
    begun.nonces.erase();
  }
}

async function unknownSession({ ledger }: SignerParts, session: string): Promise<Refusal> {
  return (await wasBurned(ledger, session))
    ? refuse('nonce_already_consumed', 'the share of this session was given')
    : refuse('session_unknown', 'this process has begun no such signature, or it is over');
}

/**
 * On the disk before the share is computed: whatever happens after it, these nonces are used up, and the money counts
 * as spent until the chain says otherwise.
 */
function burned(
  { ledger, clock }: SignerParts,
  { session, op, ends_ms, epoch, commit }: SigningSession,
): Promise<HeldWallet | Refusal> {
  return transaction(ledger, async (tx) => {
    const wallet = await lockWithOperation(tx, op.wallet, op.id);
    if (wallet === null) return refuse('session_unknown', 'the ledger has no such operation');
    if (wallet.roster.epoch !== epoch) return refuse('epoch_mismatch', 'the wallet is in another epoch');
    if (wallet.frozen) return refuse('wallet_frozen', 'the wallet is frozen');
    const now_ms = clock.wall();
    if (now_ms > op.exp) return refuse('op_expired', 'the operation has expired');
    if (now_ms > ends_ms) return refuse('signer_session_expired', 'the session is over');
    const attempt = { operation_id: op.id, session, intent_digest: commit.intent_digest };
    return (await burn(tx, attempt, now_ms))
      ? wallet
      : refuse('session_unknown', 'the reservation of this session is gone');
  });
}

async function give(
  { role, kek }: SignerParts,
  { sealed_share }: HeldWallet,
  { op, epoch, nonces, message, commit }: SigningSession,
  commitments: Commitments,
): Promise<Reply<'sign'>> {
  const share = await openShare(sealed_share, kek, { wallet: op.wallet, role, epoch });
  try {
    const { intent_digest } = commit;
    return { body: { intent_digest, share: shareOf(share, nonces, commitments, message) } };
  } catch (error) {
    if (!(error instanceof SigningFault)) throw error;
    return refuse(error.code, 'no share can be computed of these commitments', error.culprit);
  } finally {
    share.erase();
  }
}
