import net from 'node:net';
import { isLoopback } from './blocked-addresses';

/** Where a request may go, judged by the URL's text alone: the addresses behind `host` are another question. */
export interface Destination {
  readonly url: URL;
  /** Without brackets or the root's dot. */
  readonly host: string;
  /** This machine, where that is allowed: connected to without a look-up. */
  readonly loopback: boolean;
}

export type ReadDestination =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly reason: string };

const URL_LENGTH_MAX = 2048;
const PORTS = new Set(['', '443', '8443']);
/** Endings that mean something inside a network only. */
const PRIVATE_ENDINGS =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|onion)$/;

/**
 * The rules of form: https on 443 or 8443, a dotted public name, no user, no fragment.
 * With `allow_loopback` also http and any port, but only for localhost, 127.0.0.0/8 and ::1.
 * It judges the parsed host name: WHATWG turns `0x7f.1`, `2130706433` and `①②⑦.⓪.⓪.①` into 127.0.0.1.
 */
export function readDestination(text: string, allow_loopback: boolean): ReadDestination {
  if (text.length > URL_LENGTH_MAX) return no(`must be at most ${URL_LENGTH_MAX} characters long`);
  if (!URL.canParse(text)) return no('must be an absolute URL, like https://example.com/webhooks');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return no('must begin with https://');
  if (url.username || url.password) return no('must not hold a user name or password');
  if (text.includes('#')) return no('must not have a #fragment');

  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (allow_loopback && (host === 'localhost' || isLoopback(host))) {
    return { ok: true, destination: { url, host, loopback: true } };
  }
  if (url.protocol !== 'https:') return no('must begin with https://');
  if (!PORTS.has(url.port)) return no('must use port 443 or 8443');
  if (net.isIP(host)) return no('must name a host, not an IP address');
  if (!host.includes('.') || PRIVATE_ENDINGS.test(host)) return no('must name a host on the public internet');
  return { ok: true, destination: { url, host, loopback: false } };
}

const no = (reason: string): ReadDestination => ({ ok: false, reason });
