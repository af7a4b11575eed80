/**
 * What may be given up, all at once. Not a `Promise.race` with one promise that lasts: such a one keeps
 * something of every call for as long as it waits.
 */
export class CutOff {
  private reason: Error | null = null;
  private readonly waiting = new Set<(reason: Error) => void>();

  /** Ends as `work` does, unless it is cut before: the work then goes on unheard. */
  until<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.reason) reject(this.reason);
      else this.waiting.add(reject);
      work.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  /** For all that waits, and for all that comes later. */
  cut(reason: Error): void {
    this.reason = reason;
    for (const reject of this.waiting) reject(reason);
    this.waiting.clear();
  }
}
