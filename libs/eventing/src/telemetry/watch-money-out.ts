import { MODES, timeOf } from '@tender/kernel';
import type { Runtime } from '../runtime';

/** What money leaves an operating wallet for, and the rows that say how far each is. */
const TABLES = {
  refund: 'refunds_disputes.refunds',
  settlement: 'payments.settlements',
} as const;

/**
 * Measures at each scrape how long the oldest refund or settlement has been under way. Its table has `mode`, `status`
 * and `created_at`, the business time as text. The function that it returns ends it.
 */
export const watchMoneyOut = (
  { readModels, clock, telemetry }: Pick<Runtime, 'readModels' | 'clock' | 'telemetry'>,
  kind: keyof typeof TABLES,
): (() => void) =>
  telemetry.watch('tender_money_out_oldest_seconds', async () => {
    const rows = await readModels.query<{ mode: string; since: string }>(
      `select mode, min(created_at) as since from ${TABLES[kind]}
        where status in ('pending', 'processing') group by mode`,
      [],
    );
    return MODES.map((mode) => {
      const since = rows.find((row) => row.mode === mode)?.since;
      const age_ms = since === undefined ? 0 : Math.max(0, clock.now() - timeOf(since));
      return { value: age_ms / 1000, labels: { kind, mode } };
    });
  });
