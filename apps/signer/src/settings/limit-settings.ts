import { parseDecimal, toUnits } from '@tender/kernel';
import { SettingsFault, type Env } from './settings-fault';

export interface LimitSettings {
  readonly day_limit_cents: number;
  readonly sol_usd_cents: number;
}

const DAY_LIMIT_USD = '10000';
/** High, which is the careful side: a limit is reached sooner. */
const SOL_USD = '500';

/** `SIGNER_DAY_LIMIT_USD` of each wallet, and `SIGNER_SOL_USD`, what a SOL counts for in it. */
export const readLimits = (env: Env): LimitSettings => ({
  day_limit_cents: readCents(env, 'SIGNER_DAY_LIMIT_USD', DAY_LIMIT_USD),
  sol_usd_cents: readCents(env, 'SIGNER_SOL_USD', SOL_USD),
});

const CENTS_MAX = 1_000_000_000_00n;

function readCents(env: Env, name: string, fallback: string): number {
  const text = env[name] || fallback;
  const decimal = parseDecimal(text);
  const cents = decimal && toUnits(decimal, 2);
  if (cents && cents > 0n && cents <= CENTS_MAX) return Number(cents);
  throw new SettingsFault(`${name} is "${text}": it takes US dollars above 0, such as 10000 or 187.50.`);
}
