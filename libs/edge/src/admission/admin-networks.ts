import { addressRanges, isInRanges, readAddress } from '@tender/http';
import { pathOf } from './unreadable';

/** Whether nothing under `/admin` exists for a client of that address (S37); without ranges it is there for all. */
export function adminNetworks(ranges: readonly string[] | undefined) {
  if (ranges === undefined) return () => false;
  const parsed = addressRanges(ranges);
  return function isHidden(url: string, client_address: string): boolean {
    const path = pathOf(url);
    if (path !== '/admin' && !path.startsWith('/admin/')) return false;
    const address = readAddress(client_address);
    return address === null || !isInRanges(parsed, address);
  };
}
