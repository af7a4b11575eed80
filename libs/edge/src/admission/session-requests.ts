import type { IncomingMessage } from 'node:http';
import { ApiError, invalidParameter, parseQuery } from '@tender/http';
import { MODES, onLocalhost, type Mode } from '@tender/kernel';

type Requested = Pick<IncomingMessage, 'method' | 'headers'>;

/**
 * What a session changes, a page of this program must ask for (S32): browsers send the cookie by themselves. The own
 * origin is that of `public_url`, or where none is set the host that the request names.
 */
export function refuseForeignPage({ method, headers }: Requested, public_url: string | null): void {
  if (method === 'GET' || method === 'HEAD') return;
  const own = public_url === null ? `http://${headers.host ?? ''}` : new URL(public_url).origin;
  const sent = headers.origin?.toLowerCase();
  const is_own = URL.canParse(own) && [own.toLowerCase(), onLocalhost(own).origin].includes(sent ?? '');
  if (is_own && headers['sec-fetch-site'] !== 'cross-site') return;
  throw new ApiError(
    403,
    'forbidden',
    `With a session this is taken from the pages of ${own} alone. Send that as Origin, or use an API key.`,
  );
}

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
