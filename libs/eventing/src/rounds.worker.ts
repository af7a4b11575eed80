import { Rest } from './rest.worker';

/** Answers how long to rest (ms of wall time) before the next round; 0 for none. */
export type Round = (signal: AbortSignal) => Promise<number>;

/** Work that is done again and again, one round at a time, from `start` until `stop`. */
export class Rounds {
  private stopping = new AbortController();
  private readonly resting = new Rest();
  private running: Promise<void> | null = null;
  private woken = false;
  /** Those that wait for the next rest. */
  private waiting: (() => void)[] = [];

  constructor(
    private readonly round: Round,
    /** Tells of a round that has failed, and answers how long to rest after it. */
    private readonly failed: (error: unknown) => number,
  ) {}

  start(): void {
    if (this.running) return;
    this.stopping = new AbortController();
    this.running = this.run(this.stopping.signal);
  }

  /** Resolves once the round under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.resting.end();
    await this.running;
    this.running = null;
  }

  /** Another round begins now, or right after the one under way. */
  wake(): void {
    this.woken = true;
    this.resting.end();
  }

  /** Resolves once it rests, be that again, or has ended. */
  rested(): Promise<void> {
    return this.isRunning ? new Promise((rest) => this.waiting.push(rest)) : Promise.resolve();
  }

  get isRunning(): boolean {
    return this.running !== null && !this.stopping.signal.aborted;
  }

  get isResting(): boolean {
    return this.resting.isTaken;
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.woken = false;
      const rest_ms = await this.round(signal).catch(this.failed);
      if (this.woken || rest_ms <= 0 || signal.aborted) continue;
      const rested = this.resting.take(rest_ms);
      this.tellWaiting();
      await rested;
    }
    this.tellWaiting();
  }

  private tellWaiting(): void {
    for (const rest of this.waiting.splice(0)) rest();
  }
}
