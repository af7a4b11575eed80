import { Pool } from 'undici';
import {
  recentlyUsed,
  type Log,
  type Outbound,
  type OutboundAnswer,
  type OutboundFailure,
  type OutboundRequest,
} from '@tender/eventing';
import { isBlocked } from './blocked-addresses';
import { readDestination, type Destination, type ReadDestination } from './destination';
import { failureOf, NameNotResolved, Refused } from './failure';
import { NotConnected, pinnedConnector } from './pinned-connector';
import { AnswerReader, retryAfterSeconds, type Answer } from './read-answer';
import { resolveAddresses, type ResolveAddresses } from './resolve-addresses';

export interface GuardedOutboundOptions {
  /** Also http and any port, for localhost, 127.0.0.0/8 and ::1 only: the embedded run. */
  readonly allowLoopback: boolean;
  readonly log: Log;
  /** Asks the name servers by default. */
  readonly resolve?: ResolveAddresses;
}

const DNS_TIMEOUT_MS = 2000;
const HEADER_BYTES_MAX = 16 * 1024;
const POOLS_MAX = 1024;
const FORBIDDEN = 'must not lead into a private network';

/**
 * HTTP to the world: a URL's form is judged by its text; its addresses and the connection itself are checked at
 * every attempt. No redirect is followed, no proxy used, nothing inflated.
 */
export function guardedOutbound(
  options: GuardedOutboundOptions,
): Outbound & { close(): Promise<void> } {
  const resolve = options.resolve ?? resolveAddresses;
  const pools = new Map<string, Pool>();
  /** By URL: what its text says stays the same. The addresses behind it are looked up each time. */
  const destinations = recentlyUsed<ReadDestination>(POOLS_MAX);

  return { refusal, post, close };

  /**
   * A name that does not resolve today may be saved: its owner may be about to set it up, and the guard
   * checks every attempt anyway. A name that resolves to a forbidden address may not.
   */
  async function refusal(url: string): Promise<string | null> {
    const read = readDestination(url, options.allowLoopback);
    if (!read.ok) return read.reason;
    if (read.destination.loopback) return null;
    const names = AbortSignal.timeout(DNS_TIMEOUT_MS);
    const addresses = await addressesOf(read.destination, names).catch(() => []);
    return addresses.some(isBlocked) ? FORBIDDEN : null;
  }

  async function post(request: OutboundRequest): Promise<OutboundAnswer> {
    const started_ms = performance.now();
    const duration_ms = () => Math.round(performance.now() - started_ms);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error('deadline')), request.timeout_ms);
    try {
      const { headers, ...answer } = await exchange(request, deadline.signal);
      const retry_after = retryAfterSeconds(headers['retry-after'], Date.now());
      return { ok: true, ...answer, retry_after, duration_ms: duration_ms() };
    } catch (error) {
      const { failure, detail } = failureOf(error, deadline.signal);
      if (failure === 'destination_not_allowed') warn(request.url, detail);
      return { ok: false, failure, detail: shown(failure, detail), duration_ms: duration_ms() };
    } finally {
      clearTimeout(timer);
    }
  }

  async function exchange(request: OutboundRequest, signal: AbortSignal) {
    const read = destinationOf(request.url);
    if (!read.ok) throw new Refused(read.reason);
    const { destination } = read;
    if (destination.loopback) {
      return sendToFirst(loopbackAddresses(destination), destination, request, signal);
    }
    const names = AbortSignal.any([signal, AbortSignal.timeout(DNS_TIMEOUT_MS)]);
    const addresses = await addressesOf(destination, names).catch((error: unknown) => {
      throw signal.aborted ? error : new NameNotResolved(destination.host, { cause: error });
    });
    if (addresses.some(isBlocked)) throw new Refused('blocked address');
    return sendToFirst(addresses, destination, request, signal);
  }

  function destinationOf(url: string): ReadDestination {
    const known = destinations.get(url);
    if (known) return known;
    const read = readDestination(url, options.allowLoopback);
    destinations.set(url, read);
    return read;
  }

  async function addressesOf({ host }: Destination, signal: AbortSignal) {
    const given_up = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    given_up.catch(() => undefined);
    return Promise.race([resolve(host, signal), given_up]);
  }

  /** Another address is tried only when nothing was sent to the one before. */
  async function sendToFirst(
    addresses: readonly string[],
    destination: Destination,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<Answer> {
    let last: unknown;
    for (const address of addresses) {
      try {
        const reader = new AnswerReader(request.body_max, signal);
        const order = {
          method: 'POST',
          path: destination.url.pathname + destination.url.search,
          headers: { ...request.headers, 'accept-encoding': 'identity' },
          body: request.body,
        };
        poolFor(destination, address).dispatch(order, reader);
        return await reader.answer;
      } catch (error) {
        last = error;
        if (!(error instanceof NotConnected) || error.failure !== 'connect_failed') throw error;
      }
    }
    throw last ?? new NameNotResolved(destination.host);
  }

  function poolFor({ url, host }: Destination, address: string): Pool {
    const key = `${url.origin} ${address}`;
    const known = pools.get(key);
    if (known) {
      pools.delete(key);
      pools.set(key, known);
      return known;
    }
    const pool = new Pool(url.origin, {
      connect: pinnedConnector(address, host),
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 30_000,
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    pools.set(key, pool);
    dropLeastUsedPool();
    return pool;
  }

  function dropLeastUsedPool(): void {
    if (pools.size <= POOLS_MAX) return;
    const [key, pool] = pools.entries().next().value as [string, Pool];
    pools.delete(key);
    void pool.close();
  }

  /** The log says what the guard saw; the merchant learns only that it refused. */
  function warn(url: string, reason: string): void {
    const host = URL.canParse(url) ? new URL(url).hostname : 'unreadable';
    options.log.warn({ host, reason }, 'outbound request refused');
  }

  async function close(): Promise<void> {
    const open = [...pools.values()];
    pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  }
}

const loopbackAddresses = ({ host }: Destination): readonly string[] =>
  host === 'localhost' ? ['127.0.0.1', '::1'] : [host];

const shown = (failure: OutboundFailure, detail: string): string =>
  failure === 'destination_not_allowed' ? 'This destination is not allowed.' : detail;
