import type { EventStore } from '../ports/event-store';

/** One log, which the suite may stop and open again; `make` gives an empty one. */
export interface StoreUnderTest {
  readonly store: EventStore;
  /** Another store over the same log, as after a restart; the one before is closed. */
  reopen(): Promise<EventStore>;
  /** So many more stores over the same log, as other processes have them; only where several may write. */
  others?(count: number): Promise<readonly EventStore[]>;
  close(): Promise<void>;
}
