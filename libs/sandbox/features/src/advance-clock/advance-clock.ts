import { chainReached } from '@tender/contracts';
import {
  CLOCK_STREAM,
  commandHandler,
  Unavailable,
  type LocalChain,
  type Runtime,
  type Stage,
  type StoredEvent,
} from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { clockDecider } from './clock';

const handleClock = commandHandler({ decider: clockDecider, begins: [] });
const STEPS_MAX = 100_000;
/** As fine as block times: the timers of one second run together, at its end. */
const STEP_MS = 1000;

/**
 * Moves business time by steps: to each second in which a timer is due before the target, then to the
 * target, then both chains to a block of that time. Resolves when nothing is left to do there.
 * A timer that is still due when everything else is idle waits for the chains: then they move to its time.
 */
export class AdvanceClock {
  private running: Promise<unknown> = Promise.resolve();
  /** The newest move that this process knows; null while it must ask the log. */
  private last: StoredEvent | null = null;

  constructor(
    private readonly runtime: Runtime,
    private readonly stage: Stage,
    private readonly chain: LocalChain,
  ) {}

  /** Returns the new business time in milliseconds. One advance at a time. */
  by(seconds: number): Promise<number> {
    const done = this.running.then(() => this.advance(seconds * 1000));
    this.running = done.catch(() => undefined);
    return done;
  }

  private async advance(distance_ms: number): Promise<number> {
    // Nothing moves while the chains cannot follow.
    await this.chain.setOffset(this.stage.offset());
    const target_offset = this.stage.offset() + distance_ms;
    await this.runTimersUntil(target_offset);
    await this.moveTo(target_offset);
    await this.moveChains(this.runtime.clock.now());
    await this.runTimersUntil(target_offset);
    return this.runtime.clock.now();
  }

  private async runTimersUntil(target_offset: number): Promise<void> {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      await this.stage.idle();
      const due = await this.stage.nextDue();
      if (due === null) return;
      const wall = this.runtime.clock.wall();
      if (due - wall > target_offset) return;
      if (due - wall <= this.stage.offset()) {
        await this.moveChains(due);
        continue;
      }
      const step_end = Math.ceil(due / STEP_MS) * STEP_MS;
      await this.moveTo(Math.min(step_end - wall, target_offset));
    }
    throw new Unavailable('clock', { reason: 'timers keep falling due' });
  }

  private async moveTo(offset_ms: number): Promise<void> {
    const command_id = `clock:${this.runtime.random.uuid()}`;
    const { eventStore } = this.runtime;
    const handled = await handleClock(
      {
        ...this.runtime,
        eventStore: { append: (...move) => eventStore.append(...move), load: () => this.moves() },
      },
      CLOCK_STREAM,
      { type: 'MoveClock', offset_ms },
      {
        command_id,
        body_hash: null,
        merchant_id: null,
        actor: 'system:sandbox',
        correlation_id: command_id,
        causation_id: null,
      },
    );
    this.last = (handled.ok && handled.events.at(-1)) || null;
    await this.stage.setOffset(offset_ms);
    await this.chain.setOffset(offset_ms);
  }

  /** A year has thousands of moves: the newest one stands for all, unless another process has moved the clock since. */
  private async moves(): Promise<readonly StoredEvent[]> {
    const { last } = this;
    this.last = null;
    return last ? [last] : this.runtime.eventStore.load(CLOCK_STREAM);
  }

  /** Both chains to a block of that time, and what follows them to that block. */
  private async moveChains(block_time_ms: number): Promise<void> {
    await this.chain.produceUntil(Math.ceil(block_time_ms / 1000));
    const { calls, random } = this.runtime;
    const correlation_id = random.uuid();
    const answers = await Promise.all(
      MODES.map((mode) => {
        return calls.ask(chainReached, { mode, block_time_ms }, { mode, correlation_id });
      }),
    );
    if (answers.every(({ reached }) => reached)) return;
    throw new Unavailable('the chain', { reason: 'it was not followed to the time of the clock' });
  }
}
