import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { sponsorPays } from '@tender/contracts';
import { Rounds, Unavailable, type Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';

/** A switch that an admin turns is shown to customers after that long at most. */
const ASK_EVERY_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;

/**
 * Whether treasury pays fees, as this process last heard. It asks by itself, so that no customer waits for treasury;
 * what is not known is not promised.
 */
@Injectable()
export class SponsoredFees implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly paid: Record<Mode, boolean> = { test: false, live: false };
  private readonly rounds = new Rounds(
    () => this.ask(),
    (error) => this.askLater(error),
  );

  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** From memory. */
  arePaid(mode: Mode): boolean {
    return this.paid[mode];
  }

  /** Asks once, in both modes; answers how long to rest. */
  async ask(): Promise<number> {
    const answered = await Promise.all(MODES.map((mode) => this.askFor(mode)));
    return answered.every(Boolean) ? ASK_EVERY_MS : AFTER_FAILURE_MS;
  }

  /** Whether there was an answer. */
  private async askFor(mode: Mode): Promise<boolean> {
    const { calls, random } = this.runtime;
    try {
      const { pays } = await calls.ask(sponsorPays, {}, { mode, correlation_id: random.uuid() });
      this.paid[mode] = pays;
      return true;
    } catch (error) {
      this.paid[mode] = false;
      if (!(error instanceof Unavailable)) throw error;
      return false;
    }
  }

  private askLater(error: unknown): number {
    this.runtime.log.error({ err: error }, 'treasury could not be asked whether it pays fees');
    return AFTER_FAILURE_MS;
  }
}
