import type { Runtime } from '@tender/eventing';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An IPv4 address in IPv6 clothes is the IPv4 address; what is no address is null. */
export function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Addresses from here to there: a network and how many of its bits count. */
export type AddressRange = [Address, number];

/** Ranges as CIDR writes them (`10.0.0.0/8`). Throws for what is none. */
export const addressRanges = (ranges: readonly string[]): readonly AddressRange[] =>
  ranges.map((range) => ipaddr.parseCIDR(range) as AddressRange);

export const isInRanges = (ranges: readonly AddressRange[], address: Address): boolean =>
  ranges.some((range) => range[0].kind() === address.kind() && address.match(range as never));

/** What limits and quotas count an address by: a client with an IPv6 address has the whole /64 to send from. */
export function countedAddress(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = [...address.parts.slice(0, 4), 0, 0, 0, 0];
  return `${new ipaddr.IPv6(network).toString()}/64`;
}

/** What stands for a client's address in records and events of that scope: the address itself is personal data. */
export function addressHash(
  keyRing: Pick<Runtime['keyRing'], 'idBytes'>,
  scope: string,
  client_address: string,
): string {
  const address = readAddress(client_address);
  const counted = address === null ? client_address : countedAddress(address);
  return keyRing.idBytes(`${scope}|${counted}`).subarray(0, 16).toString('hex');
}
