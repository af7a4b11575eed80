/** What a signer is set to. It comes from its own settings, never from who asks. */
export interface Rules {
  /** Of the chain of the mode. */
  readonly mints: Readonly<Record<'USDC' | 'USDT', string>>;
  /** USD cents of one SOL, by the signer’s own setting. */
  readonly sol_usd_cents: number;
  /** USD cents that may leave a wallet in 24 hours. */
  readonly day_limit_cents: number;
  /** What a transaction may offer beside its signatures. */
  readonly priority_lamports_max: bigint;
}

/** The mint of an asset; null for SOL, which has none. */
export const mintOf = (rules: Rules, asset: 'USDC' | 'USDT' | 'SOL'): string | null =>
  asset === 'SOL' ? null : rules.mints[asset];
