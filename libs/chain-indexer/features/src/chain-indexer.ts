import { OfLeader, type Runtime, type StreamMode } from '@tender/eventing';
import type { Hearing, OpenContext } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';
import { FollowChainWorker } from './follow-chain/follow-chain.worker';
import { NetworkMemory, type AwaitedFacts } from './network-memory/network-memory';
import { SendSubmissionsWorker } from './send-submissions/send-submissions.worker';
import { WATCH_MERCHANTS } from './watch-merchants/watch-merchants.consumer';
import { WATCH_OPERATING_WALLETS } from './watch-operating-wallets/watch-operating-wallets.consumer';
import { WATCH_PAYMENTS } from './watch-payments/watch-payments.consumer';

/** Holds the networks while this process leads: `OfLeader<ChainIndexer>`. */
export const CHAIN_INDEXER = Symbol('chain indexer');

/** One network: what this process knows of it, and the workers that follow it and send to it. */
export interface IndexedNetwork {
  readonly memory: NetworkMemory;
  readonly follower: FollowChainWorker;
  readonly sender: SendSubmissionsWorker;
}

export type ChainIndexer = Readonly<Record<Mode, IndexedNetwork>>;

/** What reactors, followers and answers share in one process. */
export function openChainIndexer(runtime: Runtime): Required<OpenContext> {
  const leading = new OfLeader<ChainIndexer>('chain indexer');
  return {
    providers: [{ provide: CHAIN_INDEXER, useValue: leading }],
    beginTerm() {
      const networks = { test: networkOf(runtime, 'test'), live: networkOf(runtime, 'live') };
      leading.begin(networks);
      const of = (mode: StreamMode) => (mode === 'all' ? MODES : [mode]);
      // Payments or merchants may have been written to the records by the process that led before, a moment ago.
      const onTakeOver = (mode: StreamMode): void => {
        for (const each of of(mode)) networks[each].memory.takeOver();
      };
      const hearing = (facts: AwaitedFacts): Hearing => ({
        onTakeOver,
        awaits(mode) {
          const times = of(mode).flatMap((each) => networks[each].memory.awaits(facts) ?? []);
          return times.length > 0 ? Math.max(...times) : null;
        },
        onProgress(mode, wall_ms) {
          for (const each of of(mode)) networks[each].memory.heard(facts, wall_ms);
        },
      });
      return {
        workers: MODES.flatMap((mode) => [networks[mode].follower, networks[mode].sender]),
        hearing: {
          [WATCH_MERCHANTS]: { onTakeOver },
          [WATCH_PAYMENTS]: hearing('payments'),
          [WATCH_OPERATING_WALLETS]: hearing('transfers'),
        },
        end: () => leading.end(),
      };
    },
  };
}

function networkOf(runtime: Runtime, mode: Mode): IndexedNetwork {
  const memory = new NetworkMemory(runtime, mode);
  const follower = new FollowChainWorker(runtime, memory);
  return { memory, follower, sender: new SendSubmissionsWorker(runtime, memory) };
}
