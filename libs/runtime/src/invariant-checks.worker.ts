import {
  ContextChecks,
  pause,
  Rounds,
  type CheckingPorts,
  type Context,
  type Runtime,
  type Worker,
} from '@tender/eventing';

/** Wall time: what is checked is the state of a system, whatever its business clock says. */
const HOUR_MS = 3_600_000;
/** A pass begins so long after the process began to lead, and up to as long again: services do not begin at once. */
const FIRST_MS = 30_000;
const AFTER_FAILURE_MS = 60_000;
/** Between two pages of 500 objects. */
const PAGE_REST_MS = 150;

interface Timing {
  readonly first_ms: number;
  readonly page_rest_ms: number;
}

/** Checks the invariants of all contexts of a process each hour, one after the other, while the process leads. */
export class InvariantChecks implements Worker {
  readonly name = 'invariants';
  private readonly contexts: readonly (readonly [string, ContextChecks])[];
  private readonly rounds: Rounds;
  private unwatch: readonly (() => void)[] = [];
  private is_first = true;

  constructor(
    private readonly runtime: CheckingPorts & Pick<Runtime, 'random'>,
    contexts: readonly Pick<Context, 'name' | 'schema' | 'invariants'>[],
    private readonly timing: Timing = { first_ms: FIRST_MS, page_rest_ms: PAGE_REST_MS },
  ) {
    const rest = (signal: AbortSignal): Promise<unknown> => pause(timing.page_rest_ms, signal);
    this.contexts = contexts
      .filter(({ invariants = [] }) => invariants.length > 0)
      .map((context) => [context.name, new ContextChecks(runtime, context, { rest })]);
    this.rounds = new Rounds(
      (signal) => this.round(signal),
      (error) => this.complain(error),
    );
  }

  async start(): Promise<void> {
    if (this.contexts.length === 0) return;
    const { telemetry } = this.runtime;
    this.unwatch = [
      telemetry.watch('tender_invariant_violations', () => this.violations()),
      telemetry.watch('tender_invariant_age_seconds', () => this.ages()),
    ];
    this.rounds.start();
  }

  async stop(): Promise<void> {
    for (const end of this.unwatch) end();
    await this.rounds.stop();
  }

  private async round(signal: AbortSignal): Promise<number> {
    if (this.is_first) {
      this.is_first = false;
      return this.timing.first_ms * (1 + this.runtime.random.fraction());
    }
    let rest_ms = HOUR_MS;
    for (const [, checks] of this.contexts) {
      await checks.pass(signal).catch((error: unknown) => {
        if (!signal.aborted) rest_ms = this.complain(error);
      });
    }
    return rest_ms;
  }

  private complain(error: unknown): number {
    this.runtime.log.warn({ err: error }, 'invariants are checked again in a minute');
    return AFTER_FAILURE_MS;
  }

  private violations() {
    return this.contexts.flatMap(([context, checks]) =>
      checks.violations.map(({ invariant, mode, objects }) => ({
        value: objects,
        labels: { invariant, context, mode },
      })),
    );
  }

  private ages() {
    return this.contexts.flatMap(([context, checks]) =>
      checks.ages.map(({ invariant, seconds }) => ({
        value: seconds,
        labels: { invariant, context },
      })),
    );
  }
}
