import { SettingsFault, splitList, type Env } from '@tender/eventing';
import ipaddr from 'ipaddr.js';

/** TRUSTED_PROXIES as CIDR ranges. Throws `SettingsFault`. */
export const readTrustedProxies = (env: Env): readonly string[] =>
  splitList(env['TRUSTED_PROXIES']).map(rangeOf);

function rangeOf(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = bitsOf(address);
  const length = prefix === undefined ? bits : wholeNumber(prefix);
  // All addresses there are would make every client a proxy, which may claim any address.
  if (rest.length === 0 && length > 0 && length <= bits) return `${address}/${length}`;
  throw new SettingsFault(
    `TRUSTED_PROXIES names "${text}"; it takes addresses and CIDR ranges such as 10.0.0.0/8, separated by commas.`,
  );
}

/** 0 for what is no address. One of IPv4 is written as such: so it is compared. */
function bitsOf(address: string): number {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return 32;
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return 0;
  return ipaddr.IPv6.parse(address).isIPv4MappedAddress() ? 0 : 128;
}

const wholeNumber = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);
