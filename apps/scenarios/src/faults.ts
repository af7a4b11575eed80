import { closeSync, openSync } from 'node:fs';
import type { EventStore, FollowOptions, ReadModels, Sql } from '@tender/eventing';
import type { Faultable } from '@tender/runtime';

/** Where a process can die: the borders between the program and its ports (settled 33). */
export const FAULT_POINTS = [
  'append.before',
  'append.after',
  'publish.before',
  'handle.before',
  'checkpoint.before',
  'checkpoint.after',
  'outbound.before',
  'outbound.after',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Of several processes with the same fault, the first to reach it dies: FAULT_ONCE names a file to agree on it. */
function isFirst(): boolean {
  const { FAULT_ONCE } = process.env;
  if (!FAULT_ONCE) return true;
  try {
    closeSync(openSync(FAULT_ONCE, 'wx'));
    return true;
  } catch {
    return false;
  }
}

/** `FAULT=append.after:3` dies at the third pass of that point. */
export function withFaults(parts: Faultable, fault: string): Faultable {
  const [point, nth] = fault.split(':');
  let left = Number(nth ?? 1);
  const pass = (at: FaultPoint): void => {
    if (at !== point) return;
    left -= 1;
    if (left === 0 && isFirst()) process.kill(process.pid, 'SIGKILL');
  };
  return {
    eventStore: faultyStore(parts.eventStore, pass),
    readModels: faultyReadModels(parts.readModels, pass),
    outbound: {
      refusal: (url) => parts.outbound.refusal(url),
      async post(request) {
        pass('outbound.before');
        const answer = await parts.outbound.post(request);
        pass('outbound.after');
        return answer;
      },
    },
  };
}

type Pass = (at: FaultPoint) => void;

function faultyStore(store: EventStore, pass: Pass): EventStore {
  return {
    load: (stream) => store.load(stream),
    isBefore: (position, other) => store.isBefore(position, other),
    async append(...args) {
      pass('append.before');
      const appended = await store.append(...args);
      pass('append.after');
      return appended;
    },
    follow: (options: FollowOptions) =>
      store.follow({
        ...options,
        async onEvents(events) {
          pass('publish.before');
          await options.onEvents(events);
        },
      }),
  };
}

function faultyReadModels(readModels: ReadModels, pass: Pass): ReadModels {
  return {
    query: <Row>(text: string, values?: readonly unknown[]) => readModels.query<Row>(text, values),
    checkpoint: (schema, follower) => readModels.checkpoint(schema, follower),
    release: (schema, follower) => readModels.release(schema, follower),
    waitFor: (...args) => readModels.waitFor(...args),
    async transaction<Result>(work: (tx: Sql) => Promise<Result>) {
      pass('handle.before');
      const result = await readModels.transaction(work);
      pass('checkpoint.after');
      return result;
    },
    async saveCheckpoint(...args) {
      pass('checkpoint.before');
      await readModels.saveCheckpoint(...args);
    },
  };
}
