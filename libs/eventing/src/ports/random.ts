/** The only source of chance, so that a simulation can seed it. */
export interface Random {
  /** They may lie in a page with others: never use the memory around them (`buffer`). */
  bytes(length: number): Buffer;
  uuid(): string;
  /** At least 0, below 1: jitter only, never a secret. */
  fraction(): number;
}
