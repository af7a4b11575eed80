/** How a method is made to fail. */
export interface Failure {
  /** Requests still to fail. */
  left: number;
  readonly httpStatus: number | null;
  readonly code: number;
}

/** What control methods broke on purpose. */
export class Faults {
  /** Transactions to swallow: the caller gets a signature, no block gets the transaction. */
  dropSends = 0;
  delayMs = 0;
  /** By method; `*` is every method but the control methods. */
  readonly failures = new Map<string, Failure>();

  takeDroppedSend(): boolean {
    if (this.dropSends === 0) return false;
    this.dropSends -= 1;
    return true;
  }

  takeFailure(method: string): Failure | null {
    for (const name of [method, '*']) {
      const failure = this.failures.get(name);
      if (!failure) continue;
      failure.left -= 1;
      if (failure.left <= 0) this.failures.delete(name);
      return failure;
    }
    return null;
  }
}
