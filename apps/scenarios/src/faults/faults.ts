import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { Chain, EventStore, FollowOptions, ReadModels, Sql, SqlTransaction } from '@tender/eventing';
import type { Faultable } from '@tender/runtime';

/** Where a process can die, whatever it does: the borders between the program and its ports. */
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
/** Transactions are sent by who was handed one only. */
export type FaultPoint = (typeof FAULT_POINTS)[number] | 'send.before' | 'send.after';

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

const LEFT = 'left until a fault';

interface Aim {
  readonly point: string;
  readonly of: ((whose: string) => boolean) | null;
  readonly dying: readonly number[];
  /** Of this fault alone: until a thread has heard of it, what it passes counts for the fault before. */
  readonly left: Int32Array;
}

/** What the main thread tells the others; all of them count together. */
interface NextFault {
  readonly fault: string;
  readonly left: Int32Array;
}

function aimOf(fault: string, counted?: Int32Array): Aim {
  const [place = '', ...pids] = fault.trim().split(' ');
  const [at = '', nth = 1] = place.split(':');
  const [point = '', of] = at.split('@');
  const dying = pids.length > 0 ? pids.map(Number) : [process.pid];
  const left = counted ?? new Int32Array(new SharedArrayBuffer(4)).fill(Number(nth));
  return { point, of: of ? meantBy(of) : null, dying, left };
}

/** Which calls a fault may strike: the relay's, the consumers', appends to a noun's streams or of a type of event. */
const FOLLOWERS = {
  relay: (follower: string) => follower.startsWith('relay.'),
  consumer: (follower: string) => follower.includes('/'),
};
const meantBy = (of: string) =>
  FOLLOWERS[of as keyof typeof FOLLOWERS] ??
  ((append: string) => append.startsWith(`${of}.`) || append.split(' ').includes(of));

/**
 * `append.after:3` dies the third time at that point, `checkpoint.before@relay` the relay's first time,
 * `append.after@link` once the first event of a link is in the log, `append.after@LinkUseHeld` once one of that type.
 * `send.after 12 13` kills those processes then.
 */
export class Faults {
  private aim: Aim;

  constructor(fault = '') {
    const counted = isMainThread ? undefined : getEnvironmentData(LEFT);
    this.aim = aimOf(fault, counted as unknown as Int32Array | undefined);
    if (isMainThread) setEnvironmentData(LEFT, this.aim.left as never);
  }

  /** A test says where a running process dies: on a signal it reads `fault` in the data folder, and takes it away. */
  armOnSignal(): void {
    const file = path.join(process.env.DATA_DIR ?? '', 'fault');
    const threads = new BroadcastChannel('fault');
    threads.unref();
    if (!isMainThread) {
      threads.onmessage = (message) => {
        const { fault, left } = (message as { readonly data: NextFault }).data;
        this.aim = aimOf(fault, left);
      };
      return;
    }
    process.on('SIGUSR2', () => {
      const fault = readFileSync(file, 'utf8');
      this.aim = aimOf(fault);
      threads.postMessage({ fault, left: this.aim.left } satisfies NextFault);
      rmSync(file);
    });
  }

  readonly pass = (at: FaultPoint, whose = ''): void => {
    const { point, of, left, dying } = this.aim;
    if (at !== point || (of && !of(whose))) return;
    if (Atomics.sub(left, 0, 1) !== 1 || !isFirst()) return;
    for (const pid of dying) process.kill(pid, 'SIGKILL');
  };
}

/** `hangs` is a part of those URLs whose answer never comes, nor a time-out. */
export function withFaults(parts: Faultable, { pass }: Faults, hangs = ''): Faultable {
  return {
    eventStore: faultyStore(parts.eventStore, pass),
    readModels: faultyReadModels(parts.readModels, pass),
    chains: {
      test: faultyChain(parts.chains.test, pass),
      live: faultyChain(parts.chains.live, pass),
    },
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

type Pass = (at: FaultPoint, whose?: string) => void;

function faultyChain(chain: Chain, pass: Pass): Chain {
  const send = async (transaction: Uint8Array) => {
    pass('send.before');
    await chain.send(transaction);
    pass('send.after');
  };
  return Object.assign(Object.create(chain) as Chain, { send });
}

function faultyStore(store: EventStore, pass: Pass): EventStore {
  return {
    load: (stream) => store.load(stream),
    newest: () => store.newest(),
    isBefore: (position, other) => store.isBefore(position, other),
    async append(stream, events, ...args) {
      const append = [stream, ...events.map(({ type }) => type)].join(' ');
      pass('append.before', append);
      const answer = store.append(stream, events, ...args);
      // On its way, or on its way back: this process has not read the answer.
      setTimeout(() => pass('append.sent', append), 1);
      const appended = await answer;
      pass('append.after', append);
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
    rowsByKey: (...args) => readModels.rowsByKey(...args),
    checkpoint: (schema, follower) => readModels.checkpoint(schema, follower),
    release: (schema, follower) => readModels.release(schema, follower),
    waitFor: (...args) => readModels.waitFor(...args),
    noteProgress: (...args) => readModels.noteProgress?.(...args),
    async transaction<Result>(work: (tx: SqlTransaction) => Promise<Result>) {
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
