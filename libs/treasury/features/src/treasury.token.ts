import type { Mode } from '@tender/kernel';

/** What this process does while it leads, as far as answers wake it. */
export interface Treasury {
  /** A sponsored transaction was sent. */
  followSponsored(mode: Mode): void;
  /** A transfer was requested. */
  sendTransfer(mode: Mode, transfer_id: string): void;
}

/** Holds that, while this process leads: `OfLeader<Treasury>`. */
export const TREASURY = Symbol('treasury');
