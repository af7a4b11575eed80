import { addressRanges, isInRanges, readAddress } from '@tender/http';

/**
 * Whether nothing under `/admin` exists for a client of that address (S37); without ranges it is there for all. The
 * path is that of the route where one was found: there are other spellings of it, and the router reads them.
 */
export function adminNetworks(ranges: readonly string[] | undefined) {
  if (ranges === undefined) return () => false;
  const parsed = addressRanges(ranges);
  return function isHidden(path: string, client_address: string): boolean {
    if (path !== '/admin' && !path.startsWith('/admin/')) return false;
    const address = readAddress(client_address);
    return address === null || !isInRanges(parsed, address);
  };
}
