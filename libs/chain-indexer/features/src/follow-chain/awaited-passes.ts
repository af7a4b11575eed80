/** Lets callers wait for a pass that begins after they have asked, and wakes the loop for them. */
export class AwaitedPasses {
  private begun = 0;
  private ended = 0;
  private waiters: { readonly pass: number; readonly resolve: () => void }[] = [];

  /** `wakeLoop`: called for each caller that waits. */
  constructor(private readonly wakeLoop: () => void) {}

  begin(): void {
    this.begun += 1;
  }

  /** `complete`: nothing was left to do when it ended, or nothing can be done now. */
  end(complete: boolean): void {
    if (!complete) return;
    this.ended = this.begun;
    const ready = this.waiters.filter(({ pass }) => pass <= this.ended);
    this.waiters = this.waiters.filter(({ pass }) => pass > this.ended);
    for (const { resolve } of ready) resolve();
  }

  /** The loop has ended: no caller waits in vain. */
  close(): void {
    for (const { resolve } of this.waiters.splice(0)) resolve();
  }

  /** Resolves at the end of the first complete pass that begins after this call. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiters.push({ pass: this.begun + 1, resolve });
      this.wakeLoop();
    });
  }
}
