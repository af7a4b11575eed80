/** Waiting, from the adapter: this library owns no timer. */
export interface Delays {
  /** Runs `work` once after `delay_ms`; the answer takes it back. */
  after(delay_ms: number, work: () => void): () => void;
}
