/**
 * Lets work on the same thing run one after the other in this process. Those that write to one stream would else
 * only make each other load it again; what is decided there holds without this, too.
 */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Whether work on `key` is being done, or waits. */
  isTaken(key: string): boolean {
    return this.last.has(key);
  }

  /** Once all earlier work on `key` has ended, however it ended. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(key, mine);
    const forget = () => {
      if (this.last.get(key) === mine) this.last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }
}
