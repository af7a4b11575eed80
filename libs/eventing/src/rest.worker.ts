import { clearTimeout, setTimeout } from 'node:timers';

/**
 * The rest of a loop, which others may cut short. For loops that are woken often: a wait that an `AbortSignal` ends
 * makes an error with its stack each time.
 */
export class Rest {
  private cut: (() => void) | null = null;

  get isTaken(): boolean {
    return this.cut !== null;
  }

  /** Resolves after `ms` of wall time, or once it is ended; taking another ends this one. */
  take(ms: number): Promise<void> {
    this.end();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), ms);
      this.cut = () => {
        clearTimeout(timer);
        this.cut = null;
        resolve();
      };
    });
  }

  end(): void {
    this.cut?.();
  }
}
