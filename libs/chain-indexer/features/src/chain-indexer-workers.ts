import type { Runtime } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { FollowChainWorker } from './follow-chain/follow-chain.worker';

const workers = new WeakMap<Runtime, Readonly<Record<Mode, FollowChainWorker>>>();

/** One follower per mode, the same ones for every caller with this runtime. */
export function followersOf(runtime: Runtime): Readonly<Record<Mode, FollowChainWorker>> {
  const known = workers.get(runtime);
  if (known) return known;
  const made = {
    test: new FollowChainWorker(runtime, 'test'),
    live: new FollowChainWorker(runtime, 'live'),
  };
  workers.set(runtime, made);
  return made;
}

/** The loops of this context; the composition root starts and stops them. */
export const chainIndexerWorkers = (runtime: Runtime): readonly FollowChainWorker[] =>
  MODES.map((mode) => followersOf(runtime)[mode]);
