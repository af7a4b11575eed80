import {
  RATE_SYMBOLS,
  type Delays,
  type Rate,
  type RateSymbol,
  type ReadModels,
  type SettableRates,
} from '@tender/eventing';
import { isoTime, type Clock } from '@tender/kernel';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { realDelays } from '../connections/real-delays';

/** Data folders of before this migration may have the table already. */
export class CreateRates1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create table if not exists rates."table" (symbol text primary key, rate text not null)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rates."table"');
  }
}

/** Primary data: the rates that an operator has set. */
export const ratesTables = {
  name: 'rates',
  schema: 'rates',
  migrations: [CreateRates1763700000000],
};

/** USD for one unit, until another rate is set (specification §5). */
const DEFAULTS: Readonly<Record<RateSymbol, string>> = {
  EUR: '1.08',
  GBP: '1.27',
  SOL: '150',
  NGN: '0.00065',
};

export interface SettableRatesOptions {
  readonly readModels: Pick<ReadModels, 'query'>;
  readonly clock: Clock;
  /**
   * Where other processes quote the same table: how long each goes by what it has read. By default this
   * process is the only one, and reads once.
   */
  readonly kept_ms?: number;
  readonly delays?: Delays;
}

/**
 * The rate table, kept over restarts; quotes come from memory. Once `set` has returned, no process quotes
 * what was there before. The rates are what they were set to, hence always of now.
 */
export function settableRates({
  readModels,
  clock,
  kept_ms,
  delays = realDelays,
}: SettableRatesOptions): SettableRates {
  let loading: Promise<Map<RateSymbol, string>> | null = null;
  let loaded_at = 0;

  return {
    async quote(symbol): Promise<Rate> {
      const rate = (await rates()).get(symbol) ?? DEFAULTS[symbol];
      return { rate, source: 'embedded', as_of: isoTime(clock.now()) };
    },
    async table() {
      const kept = await rates();
      const entries = RATE_SYMBOLS.map((symbol) => [symbol, kept.get(symbol) ?? DEFAULTS[symbol]]);
      return Object.fromEntries(entries) as Record<RateSymbol, string>;
    },
    async set(changes) {
      const changed = RATE_SYMBOLS.flatMap((symbol) => {
        const rate = changes[symbol];
        return rate === undefined ? [] : [{ symbol, rate }];
      });
      await readModels.query(
        `insert into rates."table" (symbol, rate)
          select symbol, rate from jsonb_to_recordset($1::jsonb) as fresh (symbol text, rate text)
          on conflict (symbol) do update set rate = excluded.rate`,
        [JSON.stringify(changed)],
      );
      loading = null;
      // Until the others have read it.
      if (kept_ms) await new Promise<void>((resolve) => delays.after(kept_ms, resolve));
    },
  };

  async function rates(): Promise<Map<RateSymbol, string>> {
    const now = performance.now();
    if (kept_ms !== undefined && now - loaded_at >= kept_ms) loading = null;
    if (!loading) {
      loading = load();
      loaded_at = now;
    }
    const mine = loading;
    try {
      return await mine;
    } catch (error) {
      if (loading === mine) loading = null;
      throw error;
    }
  }

  async function load(): Promise<Map<RateSymbol, string>> {
    const rows = await readModels.query<{ symbol: RateSymbol; rate: string }>(
      `select symbol, rate from rates."table"`,
    );
    return new Map(rows.map(({ symbol, rate }) => [symbol, rate]));
  }
}
