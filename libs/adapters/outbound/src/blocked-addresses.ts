import ipaddr from 'ipaddr.js';

/** Networks that are internal, unassigned, or a way around the list. */
const BLOCKED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** Global unicast: whatever lies outside is local, mapped, translated or not given out. */
const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Inside it: protocol assignments (Teredo, ORCHID), documentation, 6to4. */
const BLOCKED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * True unless the text is an address of the public internet. An IPv4-mapped address is as good as the
 * IPv4 address in it; whatever cannot be read is blocked.
 */
export function isBlocked(address: string): boolean {
  const known = readAddress(address);
  if (!known) return true;
  return known instanceof ipaddr.IPv4
    ? BLOCKED_V4.some((range) => known.match(range))
    : !known.match(PUBLIC_V6) || BLOCKED_V6.some((range) => known.match(range));
}

/** This machine: 127.0.0.0/8 and ::1, in no other spelling. */
export function isLoopback(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const known = ipaddr.parse(address);
  return known.range() === 'loopback';
}

/** One spelling per address, so that what was resolved compares with what was connected to. */
export function canonicalAddress(address: string): string {
  return readAddress(address)?.toString() ?? address;
}

function readAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return parsed.toIPv4Address();
  return parsed as ipaddr.IPv4 | ipaddr.IPv6;
}
