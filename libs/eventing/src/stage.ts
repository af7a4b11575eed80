import type { Worker } from './context';

/** What a test clock needs to move the whole program (settled 11). Only the sandbox asks for it. */
export interface Stage {
  readonly workers: readonly Worker[];
  /** Every follower, consumer and worker has handled what there is to handle at the present business time. */
  idle(): Promise<void>;
  /** Business time minus wall time, in milliseconds. */
  offset(): number;
  /** Takes effect at once; workers look at their due times again. */
  setOffset(offset_ms: number): Promise<void>;
}
