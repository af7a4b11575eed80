import type { Token } from '@tender/kernel';

/** `confirmed` can in theory be rolled back, `finalized` cannot. */
export type Commitment = 'confirmed' | 'finalized';

/** What a transaction did to one token account, or to a wallet's lamports, over its whole length. */
export interface BalanceChange {
  /** The token account, or the wallet itself for SOL. */
  readonly account: string;
  /** The wallet that owns the account. */
  readonly owner: string;
  /** Null for SOL. */
  readonly mint: string | null;
  readonly token_program: string | null;
  /** Base units; negative for money that left. */
  readonly delta: bigint;
}

export interface ChainTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly block_time: number;
  readonly failed: boolean;
  /** First signer: pays the fee. */
  readonly fee_payer: string;
  /** Lamports. */
  readonly fee: bigint;
  /** Static and looked-up keys, in message order. */
  readonly account_keys: readonly string[];
  readonly changes: readonly BalanceChange[];
  /** Destinations of System transfers (top level or inner): rent refunds are not payments. */
  readonly sol_transfer_destinations: readonly string[];
}

export interface ChainBlock {
  readonly slot: number;
  /** Unix seconds. */
  readonly block_time: number;
  /** Only those that touch a key the caller asked for. */
  readonly transactions: readonly ChainTransaction[];
}

/** Whole-account balances in base units; 0 when there is no account. */
export type WalletBalances = Readonly<Record<Token, bigint>>;

/** What may stand at an address. `wallet`: whatever may be paid, also one that has not been used yet. */
export type AccountKind = 'wallet' | 'mint' | 'token_account' | 'program';

/** One network, read at one commitment. Every method throws `Unavailable` when no endpoint answers. */
export interface Chain {
  /** By the genesis hash; what the settings say until a node has named it. */
  readonly network: 'localnet' | 'devnet' | 'mainnet-beta';
  readonly commitment: Commitment;
  /** Mint address by token; SOL has none. Throws `NetworkRefused` while the network is not taken. */
  readonly mints: Readonly<Record<Exclude<Token, 'SOL'>, string>>;
  genesisHash(): Promise<string>;
  /**
   * Calls with slots whose blocks may be readable by now; answers how to end that. Only hints: they may be
   * late, wrong, or never come.
   */
  onSlot(listener: (slot: number) => void): () => void;
  /** The newest slot at the commitment. */
  slot(): Promise<number>;
  /** Slots after `after` that hold a block, rising, at most `limit`. One request. */
  slotsAfter(after: number, limit: number): Promise<readonly number[]>;
  /** One request. Null when the slot holds no block after all (skipped). */
  block(slot: number, keep: (key: string) => boolean): Promise<ChainBlock | null>;
  /** Every transaction at the commitment that names the key, oldest first, paged to the end. */
  transactionsOf(key: string): Promise<readonly ChainTransaction[]>;
  balances(wallet: string): Promise<WalletBalances>;
  /** Answers, or throws, within about a second: a person waits, and it only guards against slips. */
  accountKind(address: string): Promise<AccountKind>;
  /** The associated token account, off-curve owners allowed. Pure. */
  tokenAccount(wallet: string, token: Exclude<Token, 'SOL'>): string;
}
