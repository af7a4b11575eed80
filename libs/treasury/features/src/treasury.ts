import { OfLeader, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import {
  FollowSponsoredWorker,
  type FollowSponsored,
} from './follow-sponsored/follow-sponsored.worker';
import { TREASURY } from './treasury.token';

/** What answers and loops share in one process. */
export function openTreasury(runtime: Runtime): Required<OpenContext> {
  const leading = new OfLeader<FollowSponsored>('treasury');
  return {
    providers: [{ provide: TREASURY, useValue: leading }],
    beginTerm() {
      const followers = {
        test: new FollowSponsoredWorker(runtime, 'test'),
        live: new FollowSponsoredWorker(runtime, 'live'),
      };
      leading.begin({ wake: (mode) => followers[mode].wake() });
      return { workers: Object.values(followers), end: () => leading.end() };
    },
  };
}
