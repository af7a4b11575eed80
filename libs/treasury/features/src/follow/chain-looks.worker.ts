import { Rounds, untilNextLook, type Runtime, type Worker } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** Between looks at what is in flight; a local chain is fast. */
const LOOK_MS = { localnet: 100, devnet: 1_000, 'mainnet-beta': 1_000 } as const;
/** While nothing is in flight, at the time of other looks: another process may have left something. */
const REST_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
/** Between two sends of the same bytes. */
export const RESEND_MS = 2_000;
/** Between two times that rows which count no more are deleted. */
export const PRUNE_MS = 600_000;

/** Looks at the chain of one mode again and again, for what this service has sent there. */
export abstract class ChainLooks implements Worker {
  readonly name: string;
  private readonly rounds = new Rounds(
    () => this.round(),
    (error) => this.roundLater(error),
  );

  constructor(
    protected readonly runtime: Runtime,
    protected readonly mode: Mode,
    what: string,
  ) {
    this.name = `treasury.${what}.${mode}`;
  }

  async start(): Promise<void> {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** There is something new to look at. */
  wake(): void {
    this.rounds.wake();
  }

  /** One look. False: nothing is in flight. */
  protected abstract look(): Promise<boolean>;

  private async round(): Promise<number> {
    const is_busy = await this.look();
    const { chains, clock } = this.runtime;
    return is_busy ? LOOK_MS[chains[this.mode].network] : untilNextLook(REST_MS, clock.wall());
  }

  private roundLater(error: unknown): number {
    this.runtime.log.warn({ err: error, worker: this.name }, 'what is in flight waits');
    return AFTER_FAILURE_MS;
  }
}
