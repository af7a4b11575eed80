/** What a transaction did to one account over its whole length. Null mint: lamports of a wallet. */
export interface SeenChange {
  readonly account: string;
  readonly owner: string;
  readonly mint: string | null;
  readonly token_program: string | null;
  readonly delta: bigint;
}

/** A transaction as the indexer reads it; the Chain port's form fits. */
export interface SeenTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly block_time: number;
  readonly failed: boolean;
  readonly fee_payer: string;
  readonly account_keys: readonly string[];
  /** SOL: the fee is already added back to the wallet that paid it. */
  readonly changes: readonly SeenChange[];
  readonly sol_transfer_destinations: readonly string[];
}

/** Only the classic program: Token-2022 may take fees on the way or call back. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
