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

/** A blockhash that a transaction may name until the chain is higher than it says. */
export interface RecentBlockhash {
  readonly blockhash: string;
  readonly last_valid_block_height: number;
  /** Where the node stood: what is simulated there is asked for at this slot at least. */
  readonly slot: number;
}

/** An account as the chain holds it. */
export interface ChainAccount {
  /** The program that it belongs to. */
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly kind: AccountKind;
}

/** What a simulation is asked to look at. */
export interface SimulationWatch {
  /** A node that is behind it does not answer. */
  readonly min_slot: number;
  readonly accounts: readonly string[];
}

/** What a transaction would do now. */
export interface Simulation {
  /** In the chain's words; null: it would succeed. */
  readonly error: string | null;
  readonly compute_units: number;
  /** What each account that was watched would gain, in their order; negative: lose. */
  readonly lamports: readonly bigint[];
}

/** How far a transaction has come. */
export interface SignatureStatus {
  readonly slot: number;
  readonly commitment: 'processed' | Commitment;
  /** Why it has no effect but its fee, in the chain's words; null: it succeeded. */
  readonly error: string | null;
}

/** How far the chain is final, as one node says. */
export interface FinalPart {
  /** A blockhash whose last valid height is below is dead. */
  readonly finalized_block_height: number;
  /** Of the same block: a node that has reached it shows all that the height rules on. */
  readonly finalized_slot: number;
}

/** As one node has seen it: the height was read before the statuses, so what is dead by it and has none never lands. */
export interface SignatureStatuses extends FinalPart {
  /** In the order of the signatures; null: the node knows none. */
  readonly statuses: readonly (SignatureStatus | null)[];
}

/** What one node shows of its final part; whatever it shows is no older than the height. */
export interface FinalView extends SignatureStatuses {
  /** In the order of the addresses; null where there is no account. */
  readonly accounts: readonly (ChainAccount | null)[];
}

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
  /**
   * One request. Null when the slot holds no block after all (skipped). `keep` is asked for every key that a
   * transaction touches, and for its signature.
   */
  block(slot: number, keep: (key: string) => boolean): Promise<ChainBlock | null>;
  /**
   * Every transaction that names the key, oldest first, paged to the end; at the chain's commitment unless another one
   * is named. A node that is behind `min_slot` does not answer: what it lacks proves nothing.
   */
  transactionsOf(
    key: string,
    min_slot: number,
    at?: Commitment,
  ): Promise<readonly ChainTransaction[]>;
  /**
   * One transaction, by its signature; at the chain's commitment unless another one is named. Null when the chain does
   * not show it.
   */
  transaction(signature: string, at?: Commitment): Promise<ChainTransaction | null>;
  balances(wallet: string): Promise<WalletBalances>;
  /** Answers, or throws, within about a second: a person waits, and it only guards against slips. */
  accountKind(address: string): Promise<AccountKind>;
  /** The associated token account, off-curve owners allowed. Pure. */
  tokenAccount(wallet: string, token: Exclude<Token, 'SOL'>): string;
  /** The newest one that is confirmed. */
  latestBlockhash(): Promise<RecentBlockhash>;
  /**
   * What was lately offered for a compute unit by who wrote these accounts: micro-lamports, one for each slot. Answers,
   * or throws, within about a second: who builds a transaction can do without.
   */
  recentUnitPrices(addresses: readonly string[]): Promise<readonly bigint[]>;
  finalPart(): Promise<FinalPart>;
  /** In the order of the addresses, at most 100; null where there is no account. One request. */
  accounts(addresses: readonly string[]): Promise<readonly (ChainAccount | null)[]>;
  /** Runs a transaction without keeping what it does. Signatures are not looked at. */
  simulate(transaction: Uint8Array, watched: SimulationWatch): Promise<Simulation>;
  /** Hands a transaction to the network, unchecked. That says nothing of whether it lands; the same bytes land once. */
  send(transaction: Uint8Array): Promise<void>;
  /** At most 256. One request. */
  signatureStatuses(signatures: readonly string[]): Promise<SignatureStatuses>;
  /**
   * What each node says by itself, for what must not be believed of one alone: at most 256 signatures and 100
   * addresses. Throws `Unavailable` unless two nodes answer, or the only one that is configured.
   */
  finalViews(
    signatures: readonly string[],
    addresses: readonly string[],
  ): Promise<readonly FinalView[]>;
}
