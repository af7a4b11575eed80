/** Work on one thing after the other; on other things beside it. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(thing) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(thing, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(thing) === mine) this.last.delete(thing);
    }
  }
}
