import type { IncomingMessage } from 'node:http';
import { addressRanges, countedAddress, isInRanges, readAddress } from '@tender/http';
import { recentlyUsed } from '@tender/eventing';

/** Whose a request is. */
export interface ClientAddress {
  readonly full: string;
  /** What limits and places count by: a client with an IPv6 address has the whole /64 to send from. */
  readonly counted: string;
}

export type Requester = Pick<IncomingMessage, 'socket' | 'headers'>;
export type ClientAddresses = (requester: Requester) => ClientAddress;

interface KnownAddress extends ClientAddress {
  readonly is_proxy: boolean;
}

const KNOWN_MAX = 10_000;
const CHARACTERS_MAX = 45;
/** Of a connection that is gone. */
const NOWHERE: KnownAddress = { full: '', counted: '', is_proxy: false };

/**
 * Whose address a request comes from: the only place that says so. The socket’s peer; where that is a proxy of the
 * operator, the right-most address of `X-Forwarded-For` that is none. What stands further left is what the client
 * says of itself.
 */
export function clientAddresses(trusted_proxies: readonly string[] = []): ClientAddresses {
  const proxies = addressRanges(trusted_proxies);
  const known = recentlyUsed<KnownAddress>(KNOWN_MAX);

  return function clientAddress({ socket, headers }) {
    const peer = read(socket.remoteAddress ?? '') ?? NOWHERE;
    if (!peer.is_proxy) return peer;
    const forwarded = headers['x-forwarded-for'];
    return forwarded === undefined ? peer : walk(peer, String(forwarded));
  };

  /** From the right to the first that is no proxy; what is no address ends it at the one before. */
  function walk(peer: KnownAddress, forwarded: string): KnownAddress {
    let last = peer;
    for (let end = forwarded.length; last.is_proxy && end >= 0; ) {
      const comma = forwarded.lastIndexOf(',', end - 1);
      const next = read(forwarded.slice(comma + 1, end).trim());
      if (next === null) return last;
      last = next;
      end = comma;
    }
    return last;
  }

  function read(text: string): KnownAddress | null {
    if (text.length > CHARACTERS_MAX) return null;
    const remembered = known.get(text);
    if (remembered) return remembered;
    const address = readAddress(text);
    if (address === null) return null;
    const full = address.toString();
    const made = { full, counted: countedAddress(address), is_proxy: isInRanges(proxies, address) };
    known.set(text, made);
    return made;
  }
}
