import { invariant } from '@tender/kernel';
import type { LedgerState } from '@tender/threshold';
import { EvidenceUnavailable } from '../chain/rpc-node';
import type { Outcome } from '../chain/outcome';
import { transaction, type Tx } from '../ledger/ledger-database';
import { lockOperation, move, type KeptOperation } from '../ledger/operations';
import { lockWallet, walletAt, type HeldWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';
import { refuse, type Ask, type Reply } from '../service/reply';

/** What an outcome makes of an operation whose share is out. */
const BECOMES: Readonly<Record<Exclude<Outcome, 'open'>, LedgerState>> = {
  settled: 'settled',
  failed_on_chain: 'failed_on_chain',
  dead: 'released',
};

/** Where an operation stands, after a look at this signer’s own chain where a share of it is out. */
export async function observe(
  parts: SignerParts,
  { body }: Ask<'observe'>,
): Promise<Reply<'observe'>> {
  const id = body?.operation_id;
  if (typeof id !== 'string') return refuse('op_malformed', 'operation_id is the id of a transfer');
  return { body: { state: await stateNow(parts, id) } };
}

/** Of one operation, moved on by what the chain shows of it; null: there is none. */
export async function stateNow(parts: SignerParts, id: string): Promise<LedgerState | null> {
  const kept = await transaction(parts.ledger, (tx) => lockOperation(tx, id));
  if (kept === null) return null;
  const outcome = kept.state === 'share_out' ? await outcomeOf(parts, kept) : null;
  return transaction(parts.ledger, (tx) => moved(parts, tx, id, kept, outcome));
}

/** Null where the chain was not to be seen: the operation stays as it is. */
async function outcomeOf(parts: SignerParts, kept: KeptOperation): Promise<Outcome | null> {
  const { mode } = ((await walletAt(parts.ledger, kept.wallet)) as HeldWallet).roster;
  invariant(mode !== 'all', 'nothing is reserved of a wallet that serves both modes');
  try {
    return await parts.chains[mode].outcome(kept);
  } catch (error) {
    if (!(error instanceof EvidenceUnavailable)) throw error;
    parts.log.warn({ fault: error.message }, 'the chain was not to be seen');
    return null;
  }
}

async function moved(
  { clock }: SignerParts,
  tx: Tx,
  id: string,
  kept: KeptOperation,
  outcome: Outcome | null,
): Promise<LedgerState> {
  await lockWallet(tx, kept.wallet);
  const now_ms = clock.wall();
  const attempt = { id, wallet: kept.wallet, session: kept.session };
  if (outcome !== null && outcome !== 'open') {
    await move(tx, attempt, 'share_out', BECOMES[outcome], now_ms);
  }
  const lapsed = kept.state === 'reserved' && kept.session_ends_ms < now_ms;
  // No share was given, and as the reservation is gone none will be.
  if (lapsed) await move(tx, attempt, 'reserved', 'released', now_ms);
  return ((await lockOperation(tx, id)) as KeptOperation).state;
}
