import { LRUCache } from 'lru-cache';

/**
 * Keeps at most so many entries in memory; the one used least recently gives way to a new one. It takes memory as it
 * fills, where the library's `max` would reserve all of it at once, for caches that stay nearly empty on most machines.
 */
export const recentlyUsed = <Value extends NonNullable<unknown>>(
  entries_max: number,
): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: entries_max, sizeCalculation: () => 1 });
