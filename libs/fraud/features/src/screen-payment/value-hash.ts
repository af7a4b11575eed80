import type { KeyRing } from '@tender/eventing';
import type { ListKind } from '@tender/fraud-domain';
import ipaddr from 'ipaddr.js';

/**
 * One spelling of a value. Of an IPv6 address the network of 64 bits, which one customer has whole; null for what is
 * no address.
 */
export function canonical(kind: ListKind, value: string): string | null {
  const text = value.trim();
  if (kind === 'wallet') return text;
  if (kind === 'email') return text.toLowerCase();
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}

/** A value as fraud keeps it to find it again: without the key ring no value can be tried. */
export function valueHash(
  { idBytes }: Pick<KeyRing, 'idBytes'>,
  kind: ListKind,
  value: string,
): string {
  return idBytes(`fraud|${kind}|${canonical(kind, value) ?? value}`)
    .subarray(0, 16)
    .toString('hex');
}
