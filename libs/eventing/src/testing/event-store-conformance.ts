/// <reference types="jest" />
import type { EventStore } from '../ports/event-store';
import { appendingConformance } from './appending-conformance';
import { followingConformance } from './following-conformance';

/** One log, which the suite may stop and open again; `make` gives an empty one. */
export interface StoreUnderTest {
  readonly store: EventStore;
  /** Another store over the same log, as after a restart; the one before is closed. */
  reopen(): Promise<EventStore>;
  /** So many more stores over the same log, as other processes have them; only where several may write. */
  others?(count: number): Promise<readonly EventStore[]>;
  close(): Promise<void>;
}

/** What every EventStore does, whatever it is made of (architecture §5, settled 1 and 20). */
export function eventStoreConformance(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`EventStore: ${name}`, () => {
    let opened: StoreUnderTest;
    beforeEach(async () => {
      opened = await make();
    });
    afterEach(() => opened.close());

    describe('append and load', () => appendingConformance(() => opened));
    describe('follow', () => followingConformance(() => opened));
  });
}
