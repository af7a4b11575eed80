import { closeSync, openSync } from 'node:fs';
import type { EventStore, FollowOptions, ReadModels, Sql } from '@tender/eventing';
import type { Faultable } from '@tender/runtime';

/** Where a process can die: the borders between the program and its ports. */
export const FAULT_POINTS = [
  'append.before',
  'append.sent',
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

/** Whose calls a fault may strike: those of the relay, or those of the consumers. */
const FOLLOWERS = {
  relay: (follower: string) => follower.startsWith('relay.'),
  consumer: (follower: string) => follower.includes('/'),
};

/** `append.after:3` dies the third time at that point, `checkpoint.before@relay` the relay's first time. */
export class Faults {
  private point = '';
  private of: ((follower: string) => boolean) | undefined;
  private left = 0;

  constructor(fault = '') {
    this.arm(fault);
  }

  arm(fault: string): void {
    const [place = '', nth] = fault.trim().split(':');
    const [point = '', follower] = place.split('@');
    this.point = point;
    this.of = FOLLOWERS[follower as keyof typeof FOLLOWERS];
    this.left = Number(nth ?? 1);
  }

  readonly pass = (at: FaultPoint, follower = ''): void => {
    if (at !== this.point || (this.of && !this.of(follower))) return;
    this.left -= 1;
    if (this.left === 0 && isFirst()) process.kill(process.pid, 'SIGKILL');
  };
}

/** `hangs` is a part of those URLs whose answer never comes, nor a time-out. */
export function withFaults(parts: Faultable, { pass }: Faults, hangs = ''): Faultable {
  return {
    eventStore: faultyStore(parts.eventStore, pass),
    readModels: faultyReadModels(parts.readModels, pass),
    outbound: {
      refusal: (url) => parts.outbound.refusal(url),
      async post(request) {
        pass('outbound.before');
        const answer = await parts.outbound.post(request);
        if (hangs && request.url.includes(hangs)) return new Promise(() => undefined);
        pass('outbound.after');
        return answer;
      },
    },
  };
}

type Pass = (at: FaultPoint, follower?: string) => void;

function faultyStore(store: EventStore, pass: Pass): EventStore {
  return {
    load: (stream) => store.load(stream),
    newest: () => store.newest(),
    isBefore: (position, other) => store.isBefore(position, other),
    async append(...args) {
      pass('append.before');
      const answer = store.append(...args);
      // On its way, or on its way back: this process has not read the answer.
      setTimeout(() => pass('append.sent'), 1);
      const appended = await answer;
      pass('append.after');
      return appended;
    },
    follow: (options: FollowOptions) =>
      store.follow({
        ...options,
        async onEvents(events) {
          pass('publish.before', options.name);
          await options.onEvents(events);
        },
      }),
  };
}

function faultyReadModels(readModels: ReadModels, pass: Pass): ReadModels {
  const followers = new WeakMap<Sql, string>();
  return {
    query: <Row>(text: string, values?: readonly unknown[]) => readModels.query<Row>(text, values),
    checkpoint: (schema, follower) => readModels.checkpoint(schema, follower),
    release: (schema, follower) => readModels.release(schema, follower),
    waitFor: (...args) => readModels.waitFor(...args),
    noteProgress: (...args) => readModels.noteProgress?.(...args),
    async transaction<Result>(work: (tx: Sql) => Promise<Result>) {
      pass('handle.before');
      let follower = '';
      const result = await readModels.transaction(async (tx) => {
        const done = await work(tx);
        follower = followers.get(tx) ?? '';
        return done;
      });
      pass('checkpoint.after', follower);
      return result;
    },
    async saveCheckpoint(tx, schema, follower, position, from) {
      followers.set(tx, follower);
      pass('checkpoint.before', follower);
      await readModels.saveCheckpoint(tx, schema, follower, position, from);
    },
  };
}
