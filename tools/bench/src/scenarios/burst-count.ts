import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../machine/postgres';

/** How exactly the time of the last row is seen. A look reads all rows of the burst. */
const LOOK_MS = 50;

export interface Counted {
  readonly rows: number;
  /** Of how many payments. */
  readonly payments: number;
  /** When the last row was first seen; ms since 1970. */
  readonly last_at_ms: number;
}

/** What counts the rows of a burst: takes the position before them, answers `rows` and `payments`. */
export interface BurstRows {
  readonly connection_string: string;
  readonly query: string;
  readonly after: string;
}

/** Looks until so many payments have rows, `wait_ms` at most. */
export const countUntil = (
  { connection_string, query, after }: BurstRows,
  count: number,
  wait_ms: number,
): Promise<Counted> =>
  withClient(connection_string, async (client) => {
    let seen: Counted = { rows: 0, payments: 0, last_at_ms: NaN };
    for (const until = performance.now() + wait_ms; ; await sleep(LOOK_MS)) {
      const answer = await client.query<Pick<Counted, 'rows' | 'payments'>>({
        ...{ name: 'count', text: query, values: [after] },
      });
      const now = answer.rows[0] as Pick<Counted, 'rows' | 'payments'>;
      const at_ms = performance.timeOrigin + performance.now();
      if (now.rows > seen.rows) seen = { ...now, last_at_ms: at_ms };
      if (seen.payments >= count || performance.now() > until) return seen;
    }
  });
