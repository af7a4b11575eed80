import { createHash } from 'node:crypto';
import { Agent, request, type Dispatcher } from 'undici';
import { isBlocked } from './blocked-addresses';
import { readDestination } from './destination';
import { pinnedConnector } from './pinned-connector';
import { resolveAddresses, type ResolveAddresses } from './resolve-addresses';

/** What a download may take; a server that takes more is given up. */
export interface DownloadBounds {
  readonly bytes_max: number;
  /** From the first request to the last byte. */
  readonly deadline_ms: number;
  /** Between two bytes. */
  readonly stalled_ms: number;
}

export interface DownloadOptions extends DownloadBounds {
  readonly signal: AbortSignal;
  /** Of the document that need not be sent again. */
  readonly seen_etag?: string | null;
  readonly resolve?: ResolveAddresses;
  readonly connectTo?: typeof pinnedConnector;
}

export interface Download {
  /** Null: the server has what was seen. */
  readonly chunks: AsyncIterable<Uint8Array> | null;
  readonly etag: string | null;
}

type Answer = Dispatcher.ResponseData;

const REDIRECTS_MAX = 3;
const HEADER_BYTES_MAX = 16 * 1024;
const NOT_MODIFIED = 304;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The document at a URL that the operator has named, so that its own address may be a private one. Where its server
 * sends us is not the operator’s word: on the same origin it is followed, elsewhere as far as the guard of all outgoing
 * requests lets it. Nothing is inflated. Rejects, or its chunks throw, where the document is not there, or not whole.
 */
export async function download(url: string, options: DownloadOptions): Promise<Download> {
  const deadline = AbortSignal.timeout(options.deadline_ms);
  const signal = AbortSignal.any([options.signal, deadline]);
  const inTime = (error: unknown): unknown =>
    deadline.aborted && !options.signal.aborted
      ? new Error(`it did not come whole within ${options.deadline_ms / 1000} seconds`)
      : error;
  const { agent, answer } = await answerOf(url, { ...options, signal }).catch((error: unknown) => {
    throw inTime(error);
  });
  if (answer.statusCode === NOT_MODIFIED) {
    await agent.destroy();
    return { chunks: null, etag: options.seen_etag ?? null };
  }
  const [etag = null] = [answer.headers.etag].flat();
  return { chunks: chunksOf(), etag };

  async function* chunksOf(): AsyncGenerator<Uint8Array> {
    try {
      yield* whole(answer, options.bytes_max);
    } catch (error) {
      throw inTime(error);
    } finally {
      await agent.destroy();
    }
  }
}

/** The first answer that is no redirect, its body unread. */
async function answerOf(
  url: string,
  options: DownloadOptions,
): Promise<{ readonly agent: Agent; readonly answer: Answer }> {
  let place = new URL(url);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const { stalled_ms, signal, seen_etag } = options;
    const agent = new Agent({
      ...(await connectorTo(place, new URL(url), options)),
      ...{ headersTimeout: stalled_ms, bodyTimeout: stalled_ms, maxHeaderSize: HEADER_BYTES_MAX },
    });
    try {
      const headers = {
        'accept-encoding': 'identity',
        ...(seen_etag ? { 'if-none-match': seen_etag } : {}),
      };
      const answer = await request(place, { dispatcher: agent, signal, headers });
      const next = redirectOf(answer, place);
      if (next === null) {
        if (!(seen_etag && answer.statusCode === NOT_MODIFIED)) {
          mustBeReadable(answer, options.bytes_max);
        }
        return { agent, answer };
      }
      place = next;
    } catch (error) {
      await agent.destroy();
      throw error;
    }
    await agent.destroy();
  }
  throw new Error(`the server redirects more than ${REDIRECTS_MAX} times`);
}

/** Nothing for the operator's own origin; elsewhere the guard's rules of form and of addresses. */
async function connectorTo(
  place: URL,
  named: URL,
  { signal, resolve = resolveAddresses, connectTo = pinnedConnector }: DownloadOptions,
): Promise<Agent.Options> {
  if (place.origin === named.origin) return {};
  const read = readDestination(place.href, false);
  if (!read.ok) throw new Error(`the server redirects to ${place.origin}: it ${read.reason}`);
  const { host } = read.destination;
  const addresses = await resolve(host, signal);
  const [address] = addresses;
  if (address === undefined || addresses.some(isBlocked)) {
    throw new Error(`the server redirects to ${place.origin}, which leads into a private network`);
  }
  return { connect: connectTo(address, host) };
}

function redirectOf({ statusCode, headers }: Answer, place: URL): URL | null {
  if (!REDIRECTS.has(statusCode)) return null;
  const [location] = [headers.location].flat();
  if (location === undefined || !URL.canParse(location, place.href)) {
    throw new Error(`the server answered ${statusCode} and does not say where to`);
  }
  const next = new URL(location, place);
  next.hash = '';
  return next;
}

function mustBeReadable({ statusCode, headers }: Answer, bytes_max: number): void {
  if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
  const [encoding = 'identity'] = [headers['content-encoding']].flat();
  if (encoding.toLowerCase() !== 'identity') {
    throw new Error(`the server sends it as ${encoding.slice(0, 20)}, though it was asked not to`);
  }
  if (Number(headers['content-length'] ?? 0) > bytes_max) throw tooLong(bytes_max);
}

/** Throws before its end where it is too long, and at it where its bytes are not those that the server means. */
async function* whole({ body, headers }: Answer, bytes_max: number): AsyncGenerator<Uint8Array> {
  const stated = statedDigest(headers);
  const hash = stated === null ? null : createHash('sha256');
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bytes_max) throw tooLong(bytes_max);
    hash?.update(chunk);
    yield chunk;
  }
  if (hash && hash.digest('base64') !== stated) {
    throw new Error('its SHA-256 is not the one that the server states');
  }
}

/** Of an answer that is whole and as it is, both fields of RFC 9530 say the same. */
function statedDigest(headers: Answer['headers']): string | null {
  const fields = [headers['repr-digest'], headers['content-digest']].flat().join(',');
  return /(?:^|[\s,])sha-256=:([A-Za-z0-9+/]+=*):/.exec(fields)?.[1] ?? null;
}

const tooLong = (bytes_max: number) => new Error(`it is longer than ${bytes_max} bytes`);
