import {
  RATE_SYMBOLS,
  type Rate,
  type RateSymbol,
  type ReadModels,
  type SettableRates,
} from '@tender/eventing';
import { isoTime, type Clock } from '@tender/kernel';
import type { MigrationInterface, QueryRunner } from 'typeorm';

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

/** Primary data: what somebody said a rate is. */
export const ratesTables = {
  name: 'rates',
  schema: 'rates',
  migrations: [CreateRates1763700000000],
  entities: [],
};

/** USD for one unit, until somebody sets another (decisions §5). */
const DEFAULTS: Readonly<Record<RateSymbol, string>> = {
  EUR: '1.08',
  GBP: '1.27',
  SOL: '150',
  NGN: '0.00065',
};

/**
 * The rate table of the embedded run, kept over restarts. One process holds it, so that quotes come from
 * memory. The rates are what somebody says they are, hence always of now.
 */
export function settableRates({
  readModels,
  clock,
}: {
  readonly readModels: ReadModels;
  readonly clock: Clock;
}): SettableRates {
  let loading: Promise<Map<RateSymbol, string>> | null = null;

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
      const kept = await rates();
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
      for (const { symbol, rate } of changed) kept.set(symbol, rate);
    },
  };

  async function rates(): Promise<Map<RateSymbol, string>> {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = null;
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
