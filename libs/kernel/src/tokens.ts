/** What a customer pays in. */
export const TOKENS = ['USDC', 'USDT', 'SOL'] as const;
export type Token = (typeof TOKENS)[number];

/** Decimal places of one token: base units are 10^-decimals of it. */
export const TOKEN_DECIMALS: Readonly<Record<Token, number>> = { USDC: 6, USDT: 6, SOL: 9 };

export const CURRENCIES = ['USD', 'EUR', 'GBP'] as const;
export type Currency = (typeof CURRENCIES)[number];
