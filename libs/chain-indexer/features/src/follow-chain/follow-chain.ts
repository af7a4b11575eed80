import type { Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { closeWatches } from '../close-watches/close-watches';
import { CursorLease } from '../move-cursor/cursor-lease';
import { CursorMoved, LeaseLost, type PlacedCursor } from '../move-cursor/cursor.record';
import { placeFirstCursor } from '../move-cursor/place-first-cursor';
import { savePass } from '../move-cursor/save-pass';
import type { NetworkMemory } from '../network-memory/network-memory';
import { BlockReader } from '../read-blocks/block-reader';
import { WatchLookUps } from '../read-blocks/watch-look-ups';
import { ChainStreams } from '../settle-credits/chain-streams';
import { reportHeldCredits } from '../settle-credits/report-held-credits';
import { newOutcome, SettleTransactions } from '../settle-credits/settle-transactions';
import { FollowedNetwork } from './followed-network';
import { measurePass } from './measure-pass';

/**
 * Makes one pass after another along the chain, each of them repeatable: `read-blocks` reads what is new,
 * `settle-credits` and `close-watches` append what follows from it to the log, and then `move-cursor` moves the
 * cursor in one transaction with the records.
 */
export class FollowChain {
  private readonly mode: Mode;
  private readonly lease: CursorLease;
  private readonly reader: BlockReader;
  private readonly lookUps: WatchLookUps;
  private readonly streams: ChainStreams;
  private readonly settling: SettleTransactions;
  private readonly network: FollowedNetwork;

  constructor(
    private readonly runtime: Runtime,
    private readonly memory: NetworkMemory,
    owner: string,
  ) {
    this.mode = memory.mode;
    this.lease = new CursorLease(runtime, this.mode, owner);
    this.reader = new BlockReader(runtime, memory, this.lease);
    this.lookUps = new WatchLookUps(runtime, memory, this.lease);
    this.network = new FollowedNetwork(runtime, memory);
    this.streams = new ChainStreams(runtime, this.mode);
    this.settling = new SettleTransactions(runtime, this.mode, memory.book, this.streams);
  }

  /** True while this process follows the network. */
  get leads(): boolean {
    return this.lease.cursor !== null;
  }

  /** Up to this slot everything was read. */
  get slot(): number {
    return this.lease.cursor?.slot ?? 0;
  }

  /**
   * Takes the lease if need be, then reads what the chain has added; `hinted_slot` may be readable, or not.
   * True when it may have added more.
   * Throws `LeaseLost`, `WrongNetwork`, or what the chain and the stores throw: the cursor stands. After
   * `CursorMoved` the next pass begins where the records are.
   */
  async pass(hinted_slot = 0): Promise<boolean> {
    try {
      return await this.advance(this.lease.cursor ?? (await this.begin()), hinted_slot);
    } catch (error) {
      this.network.forgetTip();
      if (error instanceof LeaseLost || error instanceof CursorMoved) this.leave();
      throw error;
    }
  }

  async end(): Promise<void> {
    this.leaveBlocks();
    await this.lease.release();
  }

  private leave(): void {
    this.lease.forget();
    this.leaveBlocks();
  }

  /** From now on another process reads the blocks: payments that come meanwhile have to be looked up. */
  private leaveBlocks(): void {
    this.memory.book.recent.restart(Number.POSITIVE_INFINITY);
  }

  private async begin(): Promise<PlacedCursor> {
    const { lease, memory } = this;
    const { recent } = memory.book;
    const { found, asked_wall_ms } = await lease.take(() => memory.reload());
    memory.state.watermark_ms = found.watermark_ms;
    const { slot, moved_wall_ms } = found;
    if (slot !== null) {
      recent.restart(moved_wall_ms ?? asked_wall_ms);
      return lease.begin({ ...found, slot });
    }
    const first = await memory.silence.ask(() => placeFirstCursor(this.runtime, this.mode, found));
    recent.begin(first.moved_wall_ms);
    return lease.begin(first);
  }

  private async advance(cursor: PlacedCursor, hinted_slot: number): Promise<boolean> {
    const { memory, mode, streams } = this;
    const { readModels, telemetry } = this.runtime;
    const began = telemetry.ticks();
    // Finds out that an operator has moved the cursor, even when nothing is followed.
    await this.lease.renew();
    const genesis_hash = await this.network.genesisHash(cursor);
    const { heard_times } = memory;
    await memory.addTakenOver();

    const outcome = newOutcome();
    const looked_up = await this.lookUps.run(cursor.slot, (found) =>
      this.settling.run(found, outcome),
    );
    const { slots, blocks, more } = await this.reader.after(cursor.slot, hinted_slot);
    if (slots.length === 0) await this.network.mustReach(cursor);
    let { watermark_ms } = cursor;
    for await (const block of blocks) {
      await this.settling.run(block.transactions, outcome);
      telemetry.count('tender_chain_blocks_total', { mode });
      watermark_ms = Math.max(watermark_ms ?? 0, block.block_time * 1000);
    }
    const reported = await reportHeldCredits(this.runtime, memory, streams, heard_times);
    const closed = await closeWatches(readModels, memory, streams, watermark_ms, outcome.paid);

    const moved = { ...cursor, genesis_hash, slot: slots.at(-1) ?? cursor.slot, watermark_ms };
    await savePass(this.lease, memory, moved, { outcome, looked_up, reported, closed });
    measurePass(telemetry, mode, {
      ...{ began, slots: slots.length, paid: outcome.paid.size },
      ...{ unmatched: reported.length, closed: closed.length },
    });
    memory.state.watermark_ms = watermark_ms;
    return more || memory.book.looksUp;
  }
}
