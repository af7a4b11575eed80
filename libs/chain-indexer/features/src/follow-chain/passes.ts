/** Lets callers wait for a pass that began after they asked. Wakes the loop, which may be asleep. */
export class Passes {
  private begun = 0;
  private ended = 0;
  private waiters: { readonly pass: number; readonly resolve: () => void }[] = [];
  private rouse: () => void = () => undefined;

  /** Called when somebody waits. */
  onWaiter(rouse: () => void): void {
    this.rouse = rouse;
  }

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

  /** The loop has ended: nobody waits in vain. */
  close(): void {
    for (const { resolve } of this.waiters.splice(0)) resolve();
  }

  /** Resolves at the end of the first complete pass that begins after this call. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiters.push({ pass: this.begun + 1, resolve });
      this.rouse();
    });
  }
}
