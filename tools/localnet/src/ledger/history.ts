import { invariant } from '@tender/kernel';
import type { LogPosition } from './append-log';
import type { TransactionError } from './vm-errors';

/** What stays in memory of a transaction; the rest is read from the log when asked for. */
export interface HistoryEntry extends LogPosition {
  readonly signature: string;
  readonly slot: number;
  /** Order over the whole ledger, also inside one slot. */
  readonly sequence: number;
  readonly error: TransactionError | null;
  readonly memo: string | null;
}

/** The page that getSignaturesForAddress asks for. */
export interface HistoryPage {
  readonly before?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  readonly newestSlot: number;
}

/** Every transaction that landed, by signature, address and slot. */
export class History {
  private readonly bySignature = new Map<string, HistoryEntry>();
  private readonly byAddress = new Map<string, HistoryEntry[]>();
  private readonly bySlot = new Map<number, HistoryEntry[]>();
  private readonly slots: number[] = [];
  private sequence = 0;

  get size(): number {
    return this.bySignature.size;
  }

  add(entry: Omit<HistoryEntry, 'sequence'>, addresses: readonly string[]): HistoryEntry {
    const kept = { ...entry, sequence: (this.sequence += 1) };
    invariant(kept.slot >= (this.slots.at(-1) ?? 0), 'history is written in slot order');
    this.bySignature.set(kept.signature, kept);
    for (const address of new Set(addresses)) {
      const list = this.byAddress.get(address);
      if (list) list.push(kept);
      else this.byAddress.set(address, [kept]);
    }
    const block = this.bySlot.get(kept.slot);
    if (block) block.push(kept);
    else {
      this.bySlot.set(kept.slot, [kept]);
      this.slots.push(kept.slot);
    }
    return kept;
  }

  get(signature: string): HistoryEntry | undefined {
    return this.bySignature.get(signature);
  }

  inSlot(slot: number): readonly HistoryEntry[] {
    return this.bySlot.get(slot) ?? [];
  }

  /** Slots with transactions in `from < slot <= to`, oldest first. */
  slotsBetween(from: number, to: number): number[] {
    const found: number[] = [];
    for (let index = this.slots.length - 1; index >= 0; index -= 1) {
      const slot = this.slots[index] ?? 0;
      if (slot <= from) break;
      if (slot <= to) found.push(slot);
    }
    return found.reverse();
  }

  /** Newest first. Like a real node: an unknown `before` finds nothing, an unknown `until` all. */
  ofAddress(address: string, page: HistoryPage): HistoryEntry[] {
    const newest = page.before === undefined ? Infinity : this.sequenceOf(page.before);
    if (newest === undefined) return [];
    const oldest = (page.until === undefined ? 0 : this.sequenceOf(page.until)) ?? 0;
    const list = this.byAddress.get(address) ?? [];
    const found: HistoryEntry[] = [];
    for (let index = list.length - 1; index >= 0 && found.length < page.limit; index -= 1) {
      const entry = list[index];
      if (!entry || entry.sequence <= oldest) break;
      if (entry.sequence < newest && entry.slot <= page.newestSlot) found.push(entry);
    }
    return found;
  }

  private sequenceOf(signature: string): number | undefined {
    return this.bySignature.get(signature)?.sequence;
  }

  /** A rollback: transactions in later slots never happened. */
  dropAfter(slot: number): HistoryEntry[] {
    const dropped: HistoryEntry[] = [];
    while ((this.slots.at(-1) ?? 0) > slot) {
      const last = this.slots.pop() ?? 0;
      dropped.push(...(this.bySlot.get(last) ?? []));
      this.bySlot.delete(last);
    }
    for (const entry of dropped) this.bySignature.delete(entry.signature);
    if (dropped.length) {
      for (const [address, list] of this.byAddress) {
        while ((list.at(-1)?.slot ?? 0) > slot) list.pop();
        if (!list.length) this.byAddress.delete(address);
      }
    }
    return dropped;
  }
}
