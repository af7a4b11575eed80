import { isIP, type LookupFunction } from 'node:net';
import { Pool } from 'undici';
import type { InternalSeal } from '@tender/eventing';
import { exchange, type ServiceAnswer, type ServiceRequest } from './exchange';

/** Whom a request prefers: the lower, the sooner. */
export const STANDING = { due_for_a_try: 0, well: 1, resting: 2 } as const;
export type Standing = (typeof STANDING)[keyof typeof STANDING];

/** One process of a service, and what is remembered of it. */
export interface Replica {
  standing(): Standing;
  /** Rejects when there is no whole answer; `mayGoElsewhere` tells whether the request may have been heard. */
  ask(request: ServiceRequest): Promise<ServiceAnswer>;
  /** Lets what is under way end, and closes. */
  leave(): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

export interface ReplicaOptions {
  /** The service's origin: Host and the certificate's name are its. */
  readonly url: string;
  /** The one to connect to; null: the URL says it. */
  readonly address: string | null;
  readonly seal: InternalSeal;
  /** Milliseconds that never go back. */
  readonly ticks: () => number;
}

const CONNECTIONS_MAX = 128;
const CONNECT_TIMEOUT_MS = 1_000;
const REST_MIN_MS = 1_000;
const REST_MAX_MS = 30_000;

export function replicaAt({ url, address, seal, ticks }: ReplicaOptions): Replica {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...(address && { lookup: always(address) }) };
  const pool = new Pool(url, { connections: CONNECTIONS_MAX, pipelining: 1, connect });
  /** Of their own, as many as are asked for: a stream has its connection for as long as its client listens. */
  const streams = new Pool(url, { pipelining: 1, connect });
  /** In a row; those of requests that were under way together count once. */
  let failures = 0;
  let rests_until = 0;
  let answered = -Infinity;
  let under_way = 0;

  return {
    standing() {
      if (failures === 0) return STANDING.well;
      // One request finds out whether it is well again; the others need not wait with it.
      return ticks() < rests_until || under_way > 0 ? STANDING.resting : STANDING.due_for_a_try;
    },
    async ask(request) {
      const began = ticks();
      const known = failures;
      under_way += 1;
      try {
        const answer = await exchange(request.stream ? streams : pool, seal, request);
        failures = 0;
        answered = ticks();
        return answer;
      } catch (error) {
        // One that has answered another request since is slow with this one, and not away.
        if (answered <= began) {
          failures = Math.max(failures, known + 1);
          rests_until = ticks() + Math.min(REST_MIN_MS * 2 ** (failures - 1), REST_MAX_MS);
        }
        throw error;
      } finally {
        under_way -= 1;
      }
    },
    async leave() {
      await Promise.all([pool.close(), streams.close()]);
    },
    async close() {
      await Promise.all([pool.destroy(), streams.destroy()]);
    },
  };
}

const always =
  (address: string): LookupFunction =>
  (_, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
