/** The only source of chance, so that a simulation can seed it. */
export interface Random {
  bytes(length: number): Buffer;
  uuid(): string;
  /** At least 0, below 1: jitter only, never a secret. */
  fraction(): number;
}
