import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { sponsorPays } from '@tender/contracts';
import { Rounds, Unavailable, type Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';

/** While customers look at checkouts. A look has treasury asked again when it was asked longer ago than this. */
const ASK_EVERY_MS = 5_000;
/** While no customer looks. The next one may see what treasury answered this long ago. */
const ASK_AT_REST_MS = 30_000;
const AFTER_FAILURE_MS = 1_000;
/** A treasury that starts anew is back well within that. One that is away for longer can pay for no build either. */
const ANSWER_HOLDS_MS = 60_000;

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
  /** Somebody has looked since treasury was asked. */
  private looked = false;
  /** When that was, whether it answered or not. */
  private asked_wall_ms = 0;
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

  /** From memory. Where treasury was asked long ago, this has it asked again, for the customers who look next. */
  arePaid(mode: Mode): boolean {
    const wall_ms = this.runtime.clock.wall();
    if (this.rounds.isResting && wall_ms - this.asked_wall_ms >= ASK_EVERY_MS) this.rounds.wake();
    this.looked = true;
    const heard = this.heard.get(mode);
    return heard !== undefined && heard.pays && wall_ms - heard.wall_ms <= ANSWER_HOLDS_MS;
  }

  /** Asks once, in both modes; answers how long to rest. */
  async ask(): Promise<number> {
    const { looked } = this;
    this.looked = false;
    this.asked_wall_ms = this.runtime.clock.wall();
    const answered = await Promise.all(MODES.map((mode) => this.askFor(mode)));
    if (!answered.every(Boolean)) return AFTER_FAILURE_MS;
    return looked ? ASK_EVERY_MS : ASK_AT_REST_MS;
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
