import type { IncomingMessage } from 'node:http';
import { ApiError, invalidParameter, parseQuery } from '@tender/http';
import { MODES, onLocalhost, type Mode } from '@tender/kernel';

type Requested = Pick<IncomingMessage, 'method' | 'headers'>;

/**
 * Whether this request may use a session (S32): browsers send the cookie by themselves. What it changes, a page of
 * this program must ask for; and a page of another site may not even read, for that would use up the merchant’s limit.
 */
export function isOfForeignPage(request: Requested, public_url: string | null): boolean {
  const { method, headers } = request;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  if (method === 'GET' || method === 'HEAD') return false;
  const own = ownOrigin(headers, public_url);
  const sent = headers.origin?.toLowerCase() ?? '';
  return !URL.canParse(own) || ![own.toLowerCase(), onLocalhost(own).origin].includes(sent);
}

/** Throws where that page may not use a session. */
export function refuseForeignPage(request: Requested, public_url: string | null): void {
  if (!isOfForeignPage(request, public_url)) return;
  const own = ownOrigin(request.headers, public_url);
  throw new ApiError(
    403,
    'forbidden',
    `With a session this is taken from the pages of ${own} alone. Send that as Origin, or use an API key.`,
  );
}

/** That of `public_url`, or where none is set the host that the request names. */
const ownOrigin = ({ host = '' }: Requested['headers'], public_url: string | null): string =>
  public_url === null ? `http://${host}` : new URL(public_url).origin;

/**
 * The mode that a session’s request names, and the address without it: everything behind the gateway reads the mode of
 * the caller. Null where it names none. Throws `ApiError`.
 */
export function takeModeAsked(url: string): { readonly mode: Mode | null; readonly url: string } {
  const at = url.indexOf('?');
  if (at < 0) return { mode: null, url };
  const text = url.slice(at + 1);
  const { query, faults } = parseQuery(text);
  if (faults.length > 0) throw invalidParameter(...faults);
  const { mode } = query;
  if (mode === undefined) return { mode: null, url };
  if (!isMode(mode)) throw invalidParameter({ field: 'mode', message: 'must be test or live' });
  const others = text.split('&').filter((pair) => !('mode' in parseQuery(pair).query));
  return { mode, url: url.slice(0, at) + (others.length > 0 ? `?${others.join('&')}` : '') };
}

const isMode = (text: string): text is Mode => (MODES as readonly string[]).includes(text);
