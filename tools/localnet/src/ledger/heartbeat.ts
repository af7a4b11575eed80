import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const BEAT_MS = 5_000;
/** Blocks may have been shown up to one beat, and the time to write it, after the last beat. */
const SHOWN_AFTER_BEAT_MS = BEAT_MS + 1_000;
const DIGITS = 16;

/**
 * The ledger's time when it last answered, in a small file. After a kill, the blocks that no client
 * can have seen are skipped; those that a client may have seen stay.
 */
export class Heartbeat {
  private readonly file: number;
  /** Milliseconds since 1970; 0 when there is none. */
  lastMs: number;

  constructor(path: string) {
    this.file = openSync(path, 'a+', 0o600);
    closeSync(this.file);
    this.file = openSync(path, 'r+');
    const text = Buffer.alloc(DIGITS);
    const bytes = readSync(this.file, text, 0, DIGITS, 0);
    this.lastMs = Number(text.toString('latin1', 0, bytes).trim()) || 0;
  }

  get shownUpToMs(): number {
    return this.lastMs === 0 ? 0 : this.lastMs + SHOWN_AFTER_BEAT_MS;
  }

  /** One write of 16 bytes at most every 5 s: a kill cannot tear it. */
  beat(nowMs: number): void {
    if (nowMs - this.lastMs < BEAT_MS) return;
    this.write(nowMs);
  }

  private write(nowMs: number): void {
    this.lastMs = nowMs;
    writeSync(this.file, String(nowMs).padStart(DIGITS), 0);
  }

  close(nowMs: number): void {
    this.write(nowMs);
    closeSync(this.file);
  }
}
