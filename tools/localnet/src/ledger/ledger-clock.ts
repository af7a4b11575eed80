/** The machine's time, in milliseconds since 1970. */
export type WallClock = () => number;

/** The ledger's time: wall + offset, and never back, whatever the machine's clock does. */
export class LedgerClock {
  private latestMs = 0;
  private driftMs = 0;

  constructor(
    private readonly wall: WallClock,
    private offset: number,
  ) {}

  get offsetMs(): number {
    return this.offset;
  }

  now(): number {
    const ms = Math.floor(this.wall() + this.offset + this.driftMs);
    if (ms < this.latestMs) this.driftMs += this.latestMs - ms;
    this.latestMs = Math.max(this.latestMs, ms);
    return this.latestMs;
  }

  /** This time has been shown before: never show an earlier one. */
  reach(ms: number): void {
    this.latestMs = Math.max(this.latestMs, ms);
  }

  /** False when it would go back: then nothing changes. */
  moveTo(offsetMs: number): boolean {
    if (this.wall() + offsetMs < this.now()) return false;
    this.offset = offsetMs;
    this.driftMs = 0;
    return true;
  }
}
