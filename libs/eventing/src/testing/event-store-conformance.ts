/// <reference types="jest" />
import { appendingConformance } from './appending-conformance';
import { followingConformance } from './following-conformance';
import { resumingConformance } from './resuming-conformance';
import type { StoreUnderTest } from './store-under-test';

/** What every EventStore does, whatever it is made of (P1, L3). */
export function eventStoreConformance(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`EventStore: ${name}`, () => {
    let opened: StoreUnderTest;
    beforeEach(async () => {
      opened = await make();
    });
    afterEach(() => opened.close());

    describe('append and load', () => appendingConformance(() => opened));
    describe('follow', () => {
      followingConformance(() => opened);
      resumingConformance(() => opened);
    });
  });
}
