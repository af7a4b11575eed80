/** How the scripted chain goes on. */
export interface Pace {
  readonly slot_ms: number;
  /** Transactions of strangers in each block. */
  readonly strangers: number;
}

export interface ScriptedTransaction {
  readonly signature: string;
  readonly json: string;
}

export interface ChainShown {
  readonly slot: number;
  /** Blocks that carried strangers since the counters were set back. */
  readonly blocks: number;
  /** RPC calls since the counters were set back, by method. */
  readonly calls: Readonly<Record<string, number>>;
  /** When the block with this signature could first be read; ms since 1970. */
  readonly visible: Readonly<Record<string, number>>;
}

export type ToChain =
  | { readonly do: 'pace'; readonly pace: Pace }
  /** Into the next block. */
  | { readonly do: 'include'; readonly transactions: readonly ScriptedTransaction[] }
  /** Of each of the next blocks. */
  | { readonly do: 'script'; readonly blocks: readonly (readonly ScriptedTransaction[])[] }
  | { readonly do: 'set-back' }
  | { readonly do: 'show' };
