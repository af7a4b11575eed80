import type { HistoryEntry } from './history';
import type { WallClock } from './ledger-clock';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface LedgerSettings {
  /** Milliseconds per slot. */
  readonly slotMs: number;
  /** Milliseconds per slot while nothing happens: `slotMs`, or longer. */
  readonly restSlotMs: number;
  /** Slots from processed to finalized. */
  readonly finalitySlots: number;
  /** Blocks for which a blockhash stays usable; 150 on a real chain. */
  readonly blockhashBlocks: number;
  /** Ledger time minus wall time, in milliseconds. An earlier run's greater offset stays. */
  readonly timeOffsetMs: number;
  /** Slots with transactions between two snapshots. */
  readonly snapshotSlots: number;
  readonly wall: WallClock;
}

/** Hears what subscribers wait for. */
export interface LedgerListener {
  landed(entry: HistoryEntry): void;
  /** Which slots will have blocks, and when, is decided anew. */
  timelineChanged(): void;
  rolledBack(toSlot: number): void;
}
