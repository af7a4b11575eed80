import type { FinalView } from '@tender/eventing';
import {
  closeMarker,
  compileMessage,
  computeBudget,
  MARKER_RENT,
  transactionBytes,
  usualBudget,
} from '@tender/transactions';
import type { KnownTransfer } from '@tender/treasury-domain';
import { ChainLooks, PRUNE_MS } from '../follow/chain-looks.worker';
import { Spaced } from '../follow/spaced';
import { isMarker, markerAddress } from '../outgoing-transfer/marker';
import { outgoingTransfer, transfersWith } from '../outgoing-transfer/outgoing-transfer.aggregate';
import { pruneLeaving } from '../held-money/held-money.record';
import { giveBack, payoutFeeOf, pruneFees } from '../payout-fees/payout-fees.record';
import { record, type TransferDesk } from '../send-transfers/transfer-desk';

/** Addresses that one request takes. */
const LOOKED_AT_MAX = 100;
/** Closings that fit into a transaction. */
const CLOSED_AT_ONCE = 20;
const UNITS_OF_ONE = 6_000;

/**
 * Closes the markers of transfers that have ended, so that their rent is back: not before every transaction that was
 * ever signed for the transfer is dead, for until then the marker is what keeps the others from landing.
 */
export class ReclaimMarkersWorker extends ChainLooks {
  /** By marker: the last height at which a closing that was sent may land. */
  private readonly sent = new Map<string, number>();
  private readonly prunes: Spaced;

  constructor(private readonly desk: TransferDesk) {
    super(desk.runtime, desk.mode, 'reclaim-markers');
    this.prunes = new Spaced(desk.runtime.clock, PRUNE_MS);
  }

  protected async look(): Promise<boolean> {
    const { runtime, mode } = this;
    if (this.prunes.isTime(mode)) {
      const now_ms = runtime.clock.wall();
      await pruneFees(runtime.readModels, mode, now_ms);
      await pruneLeaving(runtime.readModels, mode, now_ms);
    }
    const states = await this.markedTransfers();
    if (states.length === 0) return false;
    const markers = states.map(({ transfer }) => markerAddress(transfer));
    const views = await runtime.chains[mode].finalViews([], markers);
    const height = Math.min(...views.map(({ finalized_block_height }) => finalized_block_height));
    const due: KnownTransfer[] = [];
    for (const [index, state] of states.entries()) {
      if (isGone(views, index)) await this.reclaimed(state);
      else if (isDead(state, height) && !this.mayBeClosed(state, height)) due.push(state);
    }
    for (let from = 0; from < due.length; from += CLOSED_AT_ONCE) {
      await this.close(due.slice(from, from + CLOSED_AT_ONCE));
    }
    return this.sent.size > 0;
  }

  private async markedTransfers(): Promise<readonly KnownTransfer[]> {
    const { runtime, mode } = this;
    const ids = await transfersWith(runtime.readModels, mode, 'has_marker');
    const states: KnownTransfer[] = [];
    for (const id of ids) {
      const state = await outgoingTransfer.load(runtime, mode, id);
      if (state?.status === 'completed' && !state.is_marker_reclaimed) states.push(state);
      if (states.length === LOOKED_AT_MAX) break;
    }
    return states;
  }

  private mayBeClosed(state: KnownTransfer, height: number): boolean {
    return height <= (this.sent.get(markerAddress(state.transfer)) ?? -1);
  }

  private async close(states: readonly KnownTransfer[]): Promise<void> {
    const { runtime, mode, desk } = this;
    const chain = runtime.chains[mode];
    const fee_payer = desk.key.address;
    const markers = states.map(({ transfer }) => markerAddress(transfer));
    const [{ blockhash, last_valid_block_height }, compute] = await Promise.all([
      chain.latestBlockhash(),
      usualBudget(chain, markers, UNITS_OF_ONE * markers.length),
    ]);
    const closings = markers.map((marker) => closeMarker(marker, fee_payer));
    const instructions = [...computeBudget(compute), ...closings];
    const message = compileMessage({ fee_payer, recent_blockhash: blockhash, instructions });
    const bytes = transactionBytes(message, { [fee_payer]: await desk.key.sign(message) });
    for (const marker of markers) this.sent.set(marker, last_valid_block_height);
    await chain.send(bytes);
  }

  private async reclaimed(state: KnownTransfer): Promise<void> {
    const { runtime, desk } = this;
    const { transfer, signature } = state;
    const command = { type: 'ReclaimMarker' } as const;
    const handled = await record(desk, transfer, command, `reclaim:${transfer.transfer_id}`);
    this.sent.delete(markerAddress(transfer));
    if (!handled.ok || handled.repeated) return;
    await giveBack(runtime.readModels, payoutFeeOf(state, signature), MARKER_RENT);
  }
}

/** For every node. */
const isGone = (views: readonly FinalView[], index: number): boolean =>
  views.every(({ accounts }) => !isMarker(accounts[index]));

const isDead = ({ attempts }: KnownTransfer, height: number): boolean =>
  attempts.every(({ last_valid_block_height }) => last_valid_block_height < height);
