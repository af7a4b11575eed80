import type { ChainTransaction, FinalView } from '@tender/eventing';
import { transactionFee, transactionOfBase64 } from '@tender/transactions';
import {
  transferVerdict,
  type KnownTransfer,
  type TransferTerms,
  type TransferVerdict,
  type TransferView,
} from '@tender/treasury-domain';
import { isMarker, markerAddress } from '../outgoing-transfer/marker';
import { payoutFeeOf, settleFee } from '../payout-fees/payout-fees.record';
import { causeOf } from './cause-of';
import { accountsOf } from './due-accounts';
import { ends, record, type TransferDesk } from './transfer-desk';

/** What one look asks each node for. */
const MARKERS_MAX = 100;
const SIGNATURES_MAX = 256;

/** A transfer, and what nodes together say of it. */
interface Judged {
  readonly state: KnownTransfer;
  readonly verdict: TransferVerdict;
}

/** Parts of them that fit into one look each. */
export function partsOf(states: readonly KnownTransfer[]): readonly (readonly KnownTransfer[])[] {
  const parts: KnownTransfer[][] = [];
  let signatures = 0;
  for (const state of states) {
    const part = parts.at(-1);
    signatures += state.attempts.length;
    if (part && part.length < MARKERS_MAX && signatures <= SIGNATURES_MAX) part.push(state);
    else {
      parts.push([state]);
      signatures = state.attempts.length;
    }
  }
  return parts;
}

/**
 * Asks every node for all that was ever signed for these transfers and for their markers; ends those that have ended
 * and drops what has; answers the rest, with what is known of them.
 */
export async function followTransfers(
  desk: TransferDesk,
  states: readonly KnownTransfer[],
): Promise<readonly Judged[]> {
  const signatures = states.flatMap(({ attempts }) => attempts.map(({ signature }) => signature));
  const markers = states.map(({ transfer }) => markerAddress(transfer));
  const views = await desk.runtime.chains[desk.mode].finalViews(signatures, markers);
  const open: Judged[] = [];
  let from = 0;
  for (const [index, state] of states.entries()) {
    const until = from + state.attempts.length;
    const shown = views.map((view) => shownOf(view, index, [from, until]));
    from = until;
    const verdict = transferVerdict(state.attempts, shown);
    if (!(await ended(desk, state, verdict))) open.push({ state, verdict });
  }
  return open;
}

const shownOf = (
  view: FinalView,
  index: number,
  [from, until]: [number, number],
): TransferView => ({
  finalized_block_height: view.finalized_block_height,
  statuses: view.statuses.slice(from, until),
  has_marker: isMarker(view.accounts[index]),
});

/** Records what the verdict proves. False: the transfer has not ended. */
async function ended(
  desk: TransferDesk,
  state: KnownTransfer,
  verdict: TransferVerdict,
): Promise<boolean> {
  if (verdict.kind === 'landed') return completes(desk, state, verdict);
  if (verdict.kind === 'dropped') return drops(desk, state, verdict);
  return false;
}

async function completes(
  desk: TransferDesk,
  state: KnownTransfer,
  { signature, slot }: TransferVerdict & { kind: 'landed' },
): Promise<boolean> {
  const { runtime, mode } = desk;
  const { transfer } = state;
  const chain = runtime.chains[mode];
  const found = await chain.transaction(signature, 'finalized');
  if (found === null) return false;
  if (!hasPaid(found, transfer, accountsOf(chain, transfer).destination)) {
    const { transfer_id } = transfer;
    runtime.log.error({ transfer_id, signature }, 'a transfer is shown as final without its effect');
    return false;
  }
  await settleFee(runtime.readModels, payoutFeeOf(state, signature), null, runtime.clock.wall());
  const command = { type: 'CompleteTransfer', signature, slot } as const;
  return ends(desk, transfer, command, signature);
}

/** The due effect: the amount has come in, and the transaction has not failed. */
const hasPaid = (
  found: ChainTransaction,
  { amount }: TransferTerms,
  destination: string,
): boolean =>
  !found.failed &&
  found.changes.some(({ account, delta }) => account === destination && delta === BigInt(amount));

async function drops(
  desk: TransferDesk,
  state: KnownTransfer,
  { signature, proof }: TransferVerdict & { kind: 'dropped' },
): Promise<boolean> {
  const { runtime, mode } = desk;
  const { transfer, attempts } = state;
  const dropped = attempts.find((one) => one.signature === signature);
  if (dropped === undefined) return false;
  const spent = proof.error === null ? 0n : feeOf(dropped.transaction);
  await settleFee(runtime.readModels, payoutFeeOf(state, signature), spent, runtime.clock.wall());
  const reason = proof.error === null ? null : causeOf(transfer, dropped, proof.error);
  runtime.log.warn({ transfer_id: transfer.transfer_id, mode, signature, proof, reason }, 'a transfer’s transaction has no effect');
  if (reason === null) {
    await record(desk, transfer, { type: 'DropTransaction', signature, proof }, `drop:${signature}`);
    return false;
  }
  const command = { type: 'FailTransfer', reason, signature } as const;
  return ends(desk, transfer, command, signature);
}

function feeOf(transaction: string): bigint {
  const read = transactionOfBase64(transaction);
  return read === null ? 0n : transactionFee(read.message);
}
