import type { Delays } from '@tender/eventing';

const COMMIT_MS = 1_000;

/**
 * The offset that a lane has reached. Kafka hears of it once a second: it saves the next lane work, and nothing
 * depends on it.
 */
export class LaneOffset {
  private offset: bigint | null = null;
  private committed: bigint | null = null;
  private cancelCommit: (() => void) | null = null;

  constructor(
    private readonly delays: Delays,
    private readonly commit: (offset: bigint) => Promise<void>,
  ) {}

  /** Every record before it was handled or parked; null while that is not known. */
  get next(): bigint | null {
    return this.offset;
  }

  begin(offset: bigint): void {
    this.offset = offset;
  }

  /** From here on, and until it begins again, Kafka hears of no offset. */
  forget(): void {
    this.offset = null;
  }

  reach(offset: bigint): void {
    this.offset = offset;
    this.cancelCommit ??= this.delays.after(COMMIT_MS, () => {
      this.cancelCommit = null;
      void this.commitNow();
    });
  }

  /** Commits no more by itself. */
  end(): void {
    this.cancelCommit?.();
  }

  async commitNow(): Promise<void> {
    if (this.offset === null || this.offset === this.committed) return;
    this.committed = this.offset;
    await this.commit(this.offset);
  }
}
