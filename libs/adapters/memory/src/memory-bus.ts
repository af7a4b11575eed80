import {
  logBus,
  Unavailable,
  type Bus,
  type ConsumerRecords,
  type EventStore,
  type Failure,
  type Located,
  type Log,
  type Parked,
  type Position,
  type Publishing,
  type SqlTransaction,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { realDelays } from './real-delays';
import { silentLog } from './silent-log';

export interface MemoryBusOptions {
  readonly eventStore: EventStore;
  readonly contexts: readonly Publishing[];
  readonly clock: Clock;
  readonly log?: Log;
  /** Checkpoints and parked messages; give the same one again to go on where another bus ended. */
  readonly records?: MemoryRecords;
  readonly retry_delay_ms?: (tries: number) => number;
}

/** By `<consumer>:<mode>`. */
export type MemoryRecords = Map<string, ConsumerRecords>;

/** A bus over any event store that keeps its checkpoints in memory. Handlers get a transaction without tables. */
export function memoryBus(options: MemoryBusOptions): Bus & { close(): Promise<void> } {
  const { eventStore, contexts, clock, retry_delay_ms, log = silentLog } = options;
  const records: MemoryRecords = options.records ?? new Map();
  return logBus({
    eventStore,
    contexts,
    clock,
    log,
    delays: realDelays,
    ...(retry_delay_ms ? { retry_delay_ms } : {}),
    recordsOf(consumer, mode) {
      const name = `${consumer}:${mode}`;
      const kept = records.get(name) ?? consumerRecords();
      records.set(name, kept);
      return kept;
    },
  });
}

function consumerRecords(): ConsumerRecords {
  let checkpoint: Position | null = null;
  let parked: Parked[] = [];
  /** Changes of a transaction are made when it ends well. */
  const stage = (tx: SqlTransaction, change: () => void): Promise<void> =>
    Promise.resolve(tx.afterCommit(change));
  const heads = (): Parked[] => [
    ...new Map([...parked].reverse().map((entry) => [entry.message.key, entry])).values(),
  ];
  return {
    async transaction(work) {
      const changes: (() => void)[] = [];
      const result = await work({
        query: () => Promise.resolve([]),
        afterCommit: (change) => void changes.push(change),
      });
      for (const change of changes) change();
      return result;
    },
    checkpoint: () => Promise.resolve(checkpoint),
    saveCheckpoint: (tx, position, from) => {
      if (from !== undefined && from !== checkpoint) {
        return Promise.reject(new Unavailable('the consumer', { reason: 'its checkpoint was moved' }));
      }
      return stage(tx, () => {
        checkpoint = position;
      });
    },
    release: () => undefined,
    noteProgress: () => undefined,
    parkedKeys: () => Promise.resolve([...new Set(parked.map(({ message }) => message.key))]),
    park: (tx, messages: readonly Located[], failure: Failure | null) =>
      stage(tx, () => {
        const { tries, next_try_ms } = failure ?? { tries: 0, next_try_ms: 0 };
        parked.push(...messages.map((located) => ({ ...located, tries, next_try_ms })));
      }),
    dueParked: (wall_ms, limit) =>
      Promise.resolve(
        heads()
          .filter(({ next_try_ms }) => next_try_ms !== null && next_try_ms <= wall_ms)
          .slice(0, limit),
      ),
    nextTry: () => {
      const times = heads()
        .map(({ next_try_ms }) => next_try_ms)
        .filter((next_try_ms) => next_try_ms !== null);
      return Promise.resolve(times.length > 0 ? Math.min(...times) : null);
    },
    unpark: (tx, entry) =>
      stage(tx, () => {
        parked = parked.filter((other) => other !== entry);
      }),
    failedAgain: (entry, { tries, next_try_ms }) => {
      parked = parked.map((other) => (other === entry ? { ...entry, tries, next_try_ms } : other));
      return Promise.resolve();
    },
  };
}
