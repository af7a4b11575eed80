import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { sponsorPays } from '@tender/contracts';
import { Rounds, Unavailable, type Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';

/** A switch that an admin turns is shown to customers after that long at most. */
const ASK_EVERY_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
/** A treasury that starts anew is back within that. One that is away for longer can pay for no build either. */
const ANSWER_HOLDS_MS = 30_000;

interface Heard {
  readonly pays: boolean;
  readonly wall_ms: number;
}

/**
 * Whether treasury pays fees, as this process last heard. It asks by itself, so that no customer waits for treasury.
 * A look that fails leaves the answer before it in place for a while; what is not known then is not promised.
 */
@Injectable()
export class SponsoredFees implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly heard = new Map<Mode, Heard>();
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
    const heard = this.heard.get(mode);
    if (heard === undefined) return false;
    const holds = this.runtime.clock.wall() - heard.wall_ms <= ANSWER_HOLDS_MS;
    return holds && heard.pays;
  }

  /** Asks once, in both modes; answers how long to rest. */
  async ask(): Promise<number> {
    const answered = await Promise.all(MODES.map((mode) => this.askFor(mode)));
    return answered.every(Boolean) ? ASK_EVERY_MS : AFTER_FAILURE_MS;
  }

  /** Whether there was an answer. */
  private async askFor(mode: Mode): Promise<boolean> {
    const { calls, random, clock } = this.runtime;
    try {
      const { pays } = await calls.ask(sponsorPays, {}, { mode, correlation_id: random.uuid() });
      this.heard.set(mode, { pays, wall_ms: clock.wall() });
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return false;
    }
  }

  private askLater(error: unknown): number {
    this.runtime.log.error({ err: error }, 'treasury could not be asked whether it pays fees');
    return AFTER_FAILURE_MS;
  }
}
