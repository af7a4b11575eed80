export const RATE_SYMBOLS = ['EUR', 'GBP', 'SOL', 'NGN'] as const;
export type RateSymbol = (typeof RATE_SYMBOLS)[number];

/** USD for one unit, exact decimal text (`"1.08"`); `as_of` is business time, ISO 8601. */
export interface Rate {
  readonly rate: string;
  readonly source: string;
  readonly as_of: string;
}

/** Throws `NotThisOne` when the newest rate is older than 60 s (SOL) or 24 h (fiat). */
export interface Rates {
  quote(symbol: RateSymbol): Promise<Rate>;
}

/** The rate table of the embedded run; its entries are always fresh. */
export interface SettableRates extends Rates {
  table(): Promise<Readonly<Record<RateSymbol, string>>>;
  set(changes: Partial<Record<RateSymbol, string>>): Promise<void>;
}
