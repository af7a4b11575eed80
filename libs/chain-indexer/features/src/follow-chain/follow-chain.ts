import type { Watch } from '@tender/chain-indexer-domain';
import type { ChainBlock, ChainTransaction, Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import type { NetworkIndexer } from '../network-indexer';
import { markLookedUp, settleWatches } from '../watch-payments/watch.record';
import { ChainStreams } from './chain-streams';
import { closeWatches } from './close-watches';
import { CursorMoved, LeaseLost, moveCursor, releaseLease, takeLease, type Cursor } from './cursor.record';
import { holdCredits, releaseCredits } from './held-credit.record';
import { newOutcome, SettleTransactions, type Outcome } from './settle-transactions';
import { tellPass, tellSetBack } from './tell-pass';

/** Slots asked for at once. */
const SLOTS_MAX = 64;
/** Where the first start begins, before the newest slot: more than the clocks of two processes differ by. */
const BEFORE_FIRST_SLOTS = 64;
/** Blocks that are fetched while earlier ones are worked on. */
const AHEAD_MAX = 4;
const LOOK_UPS_AT_ONCE = 4;
/** Wall time for which money without a payment waits for one, beside the bus being up to date. */
const HOLD_MS = 2_000;
/** A quarter of the lease: two renewals may be lost. */
const RENEW_MS = 750;

/** The endpoint shows another chain than the one that was followed so far. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';
}

/**
 * One step after another along the chain, all of it repeatable: the cursor moves in one transaction
 * with the records, after every event of the blocks is in the log.
 */
export class FollowChain {
  private readonly streams: ChainStreams;
  private readonly settling: SettleTransactions;
  private cursor: PlacedCursor | null = null;
  /** The slot of the last cursor that is known to have been written. */
  private left: number | null = null;
  private renewed_wall_ms = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: Mode,
    private readonly indexer: NetworkIndexer,
    private readonly owner: string,
  ) {
    this.streams = new ChainStreams(runtime, mode);
    this.settling = new SettleTransactions(runtime, mode, indexer.book, this.streams);
  }

  /** This process follows the network. */
  get leads(): boolean {
    return this.cursor !== null;
  }

  /** Up to this slot everything was read. */
  get slot(): number {
    return this.cursor?.slot ?? 0;
  }

  /**
   * Takes the lease if need be, then reads what the chain has added; `hinted_slot` may be readable, or not.
   * True when it may have added more.
   * Throws `LeaseLost`, `WrongNetwork`, or what the chain and the stores throw: the cursor stands. After
   * `CursorMoved` it begins again where the records are.
   */
  async pass(hinted_slot = 0): Promise<boolean> {
    try {
      this.cursor ??= await this.begin();
      return await this.advance(this.cursor, hinted_slot);
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof CursorMoved) this.leave();
      throw error;
    }
  }

  async end(): Promise<void> {
    const { cursor } = this;
    this.leave();
    if (cursor) await releaseLease(this.runtime.readModels, this.mode, cursor.epoch);
  }

  /** From now on others read blocks: payments that are heard of meanwhile have to be looked up. */
  private leave(): void {
    this.cursor = null;
    this.indexer.book.recent.restart(Number.POSITIVE_INFINITY);
  }

  /** The book is read again: while another process held the lease, it wrote the records. */
  private async begin(): Promise<PlacedCursor> {
    const wall_ms = this.runtime.clock.wall();
    const cursor = await takeLease(this.runtime.readModels, this.mode, this.owner);
    if (!cursor) throw new LeaseLost(`another process follows ${this.mode}`);
    await this.indexer.reload();
    this.indexer.state.watermark_ms = cursor.watermark_ms;
    this.renewed_wall_ms = wall_ms;
    const { slot, moved_wall_ms } = cursor;
    tellSetBack(this.runtime.log, this.mode, this.left, slot);
    this.left = slot;
    if (slot === null) return this.beginFirst(cursor);
    this.indexer.book.recent.restart(moved_wall_ms ?? wall_ms);
    return { ...cursor, slot };
  }

  /**
   * Nothing was ever read. The place is written before memory relies on it: were it chosen anew after a
   * failure, the blocks between would be read by nobody.
   */
  private async beginFirst(cursor: Cursor): Promise<PlacedCursor> {
    const chain = this.runtime.chains[this.mode];
    const genesis_hash = await chain.genesisHash();
    const slot = Math.max(0, (await chain.slot()) - BEFORE_FIRST_SLOTS);
    const moved_wall_ms = this.runtime.clock.wall();
    const first = { ...cursor, genesis_hash, slot, moved_wall_ms };
    await moveCursor(this.runtime.readModels, this.mode, cursor, first);
    this.indexer.book.recent.begin(moved_wall_ms);
    return first;
  }

  private async advance(cursor: PlacedCursor, hinted_slot: number): Promise<boolean> {
    const began = this.runtime.telemetry.ticks();
    const { book, state } = this.indexer;
    const chain = this.runtime.chains[this.mode];
    const genesis_hash = await chain.genesisHash();
    if (cursor.genesis_hash !== null && cursor.genesis_hash !== genesis_hash) {
      throw new WrongNetwork(`the chain is ${genesis_hash}, not ${cursor.genesis_hash}`);
    }
    const heard_wall_ms = this.indexer.heard_wall_ms;
    await this.indexer.addTakenOver();
    const outcome = newOutcome();
    const looked_up = await this.lookUpLate(outcome);

    const next = hinted_slot === cursor.slot + 1 ? await this.hinted(hinted_slot) : null;
    const slots = next ? [next.slot] : await chain.slotsAfter(cursor.slot, SLOTS_MAX);
    let watermark_ms = cursor.watermark_ms;
    for await (const block of next ? [next] : this.blocks(slots)) {
      await this.settling.run(block.transactions, outcome);
      this.runtime.telemetry.count('tender_chain_blocks_total', { mode: this.mode });
      watermark_ms = Math.max(watermark_ms ?? 0, block.block_time * 1000);
    }
    const reported = await this.reportHeld(heard_wall_ms);
    const expired =
      watermark_ms === null
        ? []
        : book.expiredBy(watermark_ms).filter(({ payment_id }) => !outcome.paid.has(payment_id));
    const closed = await closeWatches(
      this.runtime.readModels,
      this.mode,
      this.streams,
      expired,
      watermark_ms ?? 0,
    );
    const slot = slots.at(-1) ?? cursor.slot;
    const moved = { ...cursor, genesis_hash, slot, watermark_ms };
    await this.save(moved, { outcome, looked_up, reported, closed });
    tellPass(this.runtime.telemetry, this.mode, {
      ...{ began, slots: slots.length, paid: outcome.paid.size },
      ...{ unmatched: reported.length, closed: closed.length },
    });
    state.watermark_ms = watermark_ms;
    return slots.length === SLOTS_MAX || book.late.size > 0;
  }

  /**
   * A block that is there and comes right after the cursor needs no list of slots: one request for a block
   * instead of two. Whatever else the answer is, the list decides.
   */
  private hinted(slot: number): Promise<ChainBlock | null> {
    return this.fetch(slot).catch(() => null);
  }

  /** In order, a few fetched ahead. Every key of every block passes through the book, and is remembered. */
  private async *blocks(slots: readonly number[]): AsyncGenerator<ChainBlock> {
    const fetching: Promise<ChainBlock | null>[] = [];
    for (let index = 0; index < slots.length; index += 1) {
      while (fetching.length < AHEAD_MAX && index + fetching.length < slots.length) {
        const fetched = this.fetch(slots[index + fetching.length] as number);
        // Its failure is seen when it is this block's turn.
        fetched.catch(() => undefined);
        fetching.push(fetched);
      }
      const block = await fetching.shift();
      if (block) yield block;
      await this.renew();
    }
  }

  private async fetch(slot: number): Promise<ChainBlock | null> {
    const { book } = this.indexer;
    const keys = book.recent.record(slot, this.runtime.clock.wall());
    try {
      return await this.runtime.chains[this.mode].block(slot, (key) => {
        keys.add(key);
        return book.knows(key);
      });
    } finally {
      keys.end();
    }
  }

  /**
   * Watches that came after blocks which may name them (settled 3), each once. Blocks that are remembered
   * are read again, one request for all the watches of a block; beyond memory a watch costs its own.
   */
  private async lookUpLate(outcome: Outcome): Promise<string[]> {
    const late = new Map(this.indexer.book.late);
    const unknown = [...late.keys()].filter((reference) => late.get(reference) === null);
    const slots = new Set([...late.values()].flatMap((named) => named ?? []));
    const chain = this.runtime.chains[this.mode];
    await this.settleAll(
      unknown.map((reference) => () => chain.transactionsOf(reference)),
      outcome,
    );
    await this.settleAll(
      [...slots]
        .sort((one, other) => one - other)
        .map((slot) => async () => {
          const block = await chain.block(slot, (key) => late.has(key));
          return block?.transactions ?? [];
        }),
      outcome,
    );
    return [...late.keys()];
  }

  /** Asks for a few at once and settles them in order. */
  private async settleAll(
    asks: readonly (() => Promise<readonly ChainTransaction[]>)[],
    outcome: Outcome,
  ): Promise<void> {
    for (let start = 0; start < asks.length; start += LOOK_UPS_AT_ONCE) {
      const some = asks.slice(start, start + LOOK_UPS_AT_ONCE);
      const found = await Promise.all(some.map((ask) => ask()));
      for (const transactions of found) await this.settling.run(transactions, outcome);
      await this.renew();
    }
  }

  /**
   * Money that names no payment is told of once every payment that was recorded before it was seen has
   * been heard of. The wait alone would do in one process; the bus must have come along as well.
   */
  private async reportHeld(heard_wall_ms: number): Promise<string[]> {
    const reported: string[] = [];
    const wall_ms = this.runtime.clock.wall();
    for (const { credit_id, wallet, seen_wall_ms } of this.indexer.held.values()) {
      if (seen_wall_ms > heard_wall_ms || wall_ms < seen_wall_ms + HOLD_MS) continue;
      const merchant_ids = this.indexer.book.merchantsOf(wallet);
      if (merchant_ids.length > 0) {
        const cause = {
          command_id: `report:${credit_id}`,
          merchant_id: null,
          correlation_id: null,
        };
        await this.streams.credit(credit_id, { type: 'ReportCredit', merchant_ids }, cause);
      }
      reported.push(credit_id);
    }
    return reported;
  }

  private async save(cursor: PlacedCursor, done: Done): Promise<void> {
    const { outcome, looked_up, reported, closed } = done;
    const before = this.cursor;
    invariant(before, 'a pass holds the lease');
    const ends = outcome.paid.size + closed.length;
    const others = outcome.held.size + looked_up.length + reported.length;
    const changed = cursor.slot !== before.slot || ends + others > 0;
    if (!changed) return this.renew();

    const moved_wall_ms = this.runtime.clock.wall();
    const moved = { ...cursor, moved_wall_ms };
    const held = [...outcome.held.values()];
    const settled = [
      ...[...outcome.paid.values()].map((reference) => ({ reference, state: 'paid' as const })),
      ...closed.map(({ reference }) => ({ reference, state: 'closed' as const })),
    ];
    const ending = new Set(settled.map(({ reference }) => reference));
    const stillOpen = looked_up.filter((reference) => !ending.has(reference));
    const ended = await this.runtime.readModels.transaction(async (tx) => {
      await moveCursor(tx, this.mode, before, moved);
      const newly = await settleWatches(tx, settled);
      await markLookedUp(tx, stillOpen);
      await holdCredits(tx, this.mode, held);
      await releaseCredits(tx, this.mode, reported);
      return newly;
    });
    this.cursor = moved;
    this.left = moved.slot;
    this.renewed_wall_ms = moved_wall_ms;
    const references = [...ended, ...closed.map(({ reference }) => reference)];
    this.indexer.take(held, reported, looked_up, references);
  }

  private async renew(): Promise<void> {
    const wall_ms = this.runtime.clock.wall();
    if (!this.cursor || wall_ms - this.renewed_wall_ms < RENEW_MS) return;
    await moveCursor(this.runtime.readModels, this.mode, this.cursor, this.cursor);
    this.renewed_wall_ms = wall_ms;
  }
}

/** It is known which block comes next. */
type PlacedCursor = Cursor & { readonly slot: number };

interface Done {
  readonly outcome: Outcome;
  readonly looked_up: readonly string[];
  readonly reported: readonly string[];
  readonly closed: readonly Pick<Watch, 'reference'>[];
}
