import { SettingsFault, splitList, type Env } from '@tender/eventing';
import ipaddr from 'ipaddr.js';

/** TRUSTED_PROXIES as CIDR ranges. Throws `SettingsFault`. */
export const readTrustedProxies = (env: Env): readonly string[] =>
  splitList(env['TRUSTED_PROXIES']).map((text) => rangeOf('TRUSTED_PROXIES', text));

/** ADMIN_NETWORKS as CIDR ranges; undefined where it is not set. Throws `SettingsFault`. */
export function readAdminNetworks(env: Env): readonly string[] | undefined {
  const networks = splitList(env['ADMIN_NETWORKS']).map((text) => rangeOf('ADMIN_NETWORKS', text));
  return networks.length > 0 ? networks : undefined;
}

function rangeOf(setting: string, text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = bitsOf(address);
  const length = prefix === undefined ? bits : wholeNumber(prefix);
  // All addresses there are would make every client a proxy, which may claim any address, and hide nothing.
  if (rest.length === 0 && length > 0 && length <= bits) return `${address}/${length}`;
  throw new SettingsFault(
    `${setting} names "${text}"; it takes addresses and CIDR ranges such as 10.0.0.0/8, separated by commas.`,
  );
}

/** 0 for what is no address. One of IPv4 is written as such: so it is compared. */
function bitsOf(address: string): number {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return 32;
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return 0;
  return ipaddr.IPv6.parse(address).isIPv4MappedAddress() ? 0 : 128;
}

const wholeNumber = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);
