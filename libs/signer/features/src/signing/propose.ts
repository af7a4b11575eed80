import {
  creditOf, faultOfMessage, judge, mintOf, operationFault, type Rules, type ToldTransaction,
} from '@tender/signer-domain';
import {
  commitNonces,
  intentDigest,
  openShare,
  operationDigest,
  type Operation,
} from '@tender/threshold';
import { bytesOfBase64, markerOf, readMessage } from '@tender/transactions';
import { EvidenceUnavailable } from '../chain/rpc-node';
import type { BlockhashEvidence } from '../chain/signer-chain';
import { transaction } from '../ledger/ledger-database';
import { lockCredit, releaseLapsed, reserve, viewOf } from '../ledger/operations';
import { lockWallet, type HeldWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Refusal, type Reply } from '../service/reply';
import { lookAgain } from './look-again';
import { SESSION_MS, type SigningSession, type SigningSessions } from './signing-sessions';

/** What was proposed, once it is sure that it can be judged. */
interface Proposal {
  readonly session: string;
  readonly epoch: number;
  readonly op: Operation;
  readonly message: Uint8Array;
}
interface Evidence {
  readonly blockhash: BlockhashEvidence;
  /** What brought the money of a refund; null: it is not to be seen, or there is none. */
  readonly incoming: ToldTransaction | null;
}

/** Judges an operation and its exact bytes, reserves it, and commits to nonces for it. */
export async function propose(
  parts: SignerParts,
  sessions: SigningSessions,
  ask: Ask<'propose'>,
): Promise<Reply<'propose'>> {
  const proposal = proposalOf(ask);
  if ('refused' in proposal) return proposal;
  const { op, message, session } = proposal;
  if (!sessions.hasRoom(parts.clock.wall())) {
    return refuse('sessions_busy', 'too many signatures are under way');
  }
  if (sessions.has(session)) return refuse('session_used', 'a session is for one signature');
  const fault = faultOfMessage(message, op, parts.rules[op.mode]);
  if (fault !== null) return refuse(fault, 'the bytes are not those of the operation');
  const evidence = await evidenceFor(parts, op, message);
  if ('refused' in evidence) return evidence;
  const ends_ms = Math.min(parts.clock.wall() + SESSION_MS, op.exp);
  let wallet = await reserved(parts, proposal, evidence, ends_ms);
  if ('refused' in wallet && (await lookAgain(parts, op, wallet.refused))) {
    wallet = await reserved(parts, proposal, evidence, ends_ms);
  }
  if ('refused' in wallet) return wallet;
  const begun = await begin(parts, wallet, proposal, ends_ms);
  sessions.add(begun);
  return { body: begun.commit, to_all: true };
}

function proposalOf({ session, epoch, body }: Ask<'propose'>): Proposal | Refusal {
  const { op, message: text } = body ?? {};
  const fault = operationFault(op);
  if (fault !== null) return refuse('op_malformed', fault);
  const message = typeof text === 'string' ? bytesOfBase64(text) : null;
  if (message === null) return refuse('tx_not_canonical', 'the message is not canonical base64');
  return { session, epoch, op, message };
}

/** From this signer’s own nodes, before anything is locked. */
async function evidenceFor(
  { chains, log }: SignerParts,
  op: Operation,
  message: Uint8Array,
): Promise<Evidence | Refusal> {
  const chain = chains[op.mode];
  try {
    const [blockhash, incoming] = await Promise.all([
      chain.blockhash(readMessage(message).recent_blockhash),
      op.credit === null ? null : chain.incoming(op.credit),
    ]);
    if (blockhash.valid) return { blockhash, incoming };
    return refuse('blockhash_not_valid', 'the blockhash is not one that this signer’s node can use');
  } catch (error) {
    if (!(error instanceof EvidenceUnavailable)) throw error;
    log.warn({ operation_id: op.id, fault: error.message }, 'evidence is not to be had');
    return refuse('evidence_unavailable', 'this signer’s own node gave no answer');
  }
}

/** Checked and reserved as one: nothing that is decided beside it can use the same money. */
function reserved(
  { ledger, rules, clock }: SignerParts,
  { op, message, session, epoch }: Proposal,
  { blockhash, incoming }: Evidence,
  session_ends_ms: number,
): Promise<HeldWallet | Refusal> {
  return transaction(ledger, async (tx) => {
    const wallet = await lockWallet(tx, op.wallet);
    if (wallet === null) return refuse('wallet_unknown', 'this signer holds no share of the wallet');
    const { roster, frozen } = wallet;
    if (roster.epoch !== epoch) return refuse('epoch_mismatch', 'the wallet is in another epoch');
    const now_ms = clock.wall();
    if (op.credit !== null) await lockCredit(tx, op.credit, now_ms);
    await releaseLapsed(tx, op.wallet, now_ms);
    const of_mode = rules[op.mode];
    const mint = mintOf(of_mode, op.asset);
    const credit = op.credit === null ? null : creditOf(incoming, roster, mint);
    const attempt = { session, now_ms, credited_wallet: credit?.credited ?? null };
    const view = await viewOf(tx, op, attempt);
    const known = { roster, frozen, credit, ledger: view, rules: rulesFor(wallet, of_mode) };
    const judged = judge({ op, ...known, now_ms });
    if (!judged.ok) return refuse(judged.code, judged.reason);
    const { seen_slot, dead_after_height } = blockhash;
    const done = await reserve(tx, {
      ...{ ...attempt, op, op_digest: operationDigest(op), usd_cents: judged.usd_cents },
      ...{ session_ends_ms, marker: markerOf(op.wallet, op.id).address, message },
      ...{ seen_slot, dead_after_height },
    });
    return done ? wallet : refuse('op_changed', 'the id is that of another operation');
  });
}

const rulesFor = ({ day_limit_cents }: HeldWallet, rules: Rules): Rules => ({
  ...rules,
  day_limit_cents: day_limit_cents ?? rules.day_limit_cents,
});

/** The share is opened for as long as it is used: to hedge the nonces here, to sign later. */
async function begin(
  { role, kek }: SignerParts,
  wallet: HeldWallet,
  { session, epoch, op, message }: Proposal,
  ends_ms: number,
): Promise<SigningSession> {
  const share = await openShare(wallet.sealed_share, kek, { wallet: op.wallet, role, epoch });
  try {
    const { nonces, commit } = commitNonces(share);
    const kept = { intent_digest: intentDigest(op, message), ...commit };
    return { session, op, epoch, message, commit: kept, nonces, ends_ms };
  } finally {
    share.erase();
  }
}
