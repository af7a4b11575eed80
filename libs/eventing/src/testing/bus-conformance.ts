/// <reference types="jest" />
import { busDelivery } from './bus-delivery';
import { busPoison } from './bus-poison';
import type { BusUnderTest } from './bus-under-test';

/** What every Bus does, driven by the log alone (L1, P2, P3). */
export function busConformance(name: string, make: () => Promise<BusUnderTest>): void {
  describe(`Bus: ${name}`, () => {
    let opened: BusUnderTest;
    beforeEach(async () => {
      opened = await make();
    });
    afterEach(() => opened.close());

    describe('delivery', () => busDelivery(() => opened));
    describe('poison', () => busPoison(() => opened));
  });
}
