import { recentlyUsed, type EventStore, type Position } from '@tender/eventing';
import type { Clock, Mode } from '@tender/kernel';

const KEPT_MS = 60_000;
const MERCHANTS_MAX = 50_000;

export interface NewestPositions {
  /** After a write: the caller's reads are at least as new from now on. */
  tell(merchant_id: string, mode: Mode, context: string, position: Position): void;
  /** Null when nothing was written within the last minute. */
  newest(merchant_id: string, mode: Mode, context: string): Position | null;
}

/** Read your writes (P4): how far each merchant's own writes went, per mode and context. */
export function newestPositions(
  eventStore: Pick<EventStore, 'isBefore'>,
  clock: Pick<Clock, 'wall'>,
): NewestPositions {
  const kept = recentlyUsed<{ readonly position: Position; readonly until_ms: number }>(
    MERCHANTS_MAX,
  );
  return {
    tell(merchant_id, mode, context, position) {
      const key = keyOf(merchant_id, mode, context);
      const known = kept.get(key);
      const newest =
        known && eventStore.isBefore(position, known.position) ? known.position : position;
      kept.set(key, { position: newest, until_ms: clock.wall() + KEPT_MS });
    },
    newest(merchant_id, mode, context) {
      const known = kept.get(keyOf(merchant_id, mode, context));
      return known && clock.wall() < known.until_ms ? known.position : null;
    },
  };
}

/** accounts has one log for both modes (M17): what a test key wrote, the live key sees. */
const keyOf = (merchant_id: string, mode: Mode, context: string): string =>
  `${merchant_id}|${context === 'accounts' ? 'all' : mode}|${context}`;
