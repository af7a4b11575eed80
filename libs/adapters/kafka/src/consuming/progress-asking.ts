import { untilNextLook, type Delays, type Log, type StreamMode } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Topic } from '../topics/topics';

export interface ProgressAskingOptions {
  /** As log lines name the consumer. */
  readonly consumer: string;
  readonly topics: readonly Topic[];
  readonly clock: Pick<Clock, 'wall'>;
  readonly delays: Delays;
  readonly log: Log;
  /** Wall time (ms) that progress is waited for; null while none is. */
  readonly awaits: (mode: StreamMode) => number | null;
  /** Up to which wall time (ms) the topic was heard. */
  readonly heard: (topic: Topic) => number;
  readonly askProgress: (context: string, mode: StreamMode, until_ms: number) => Promise<void>;
}

interface Question {
  /** What had been heard when it was asked. */
  readonly heard_ms: number;
  /** Looks from one time that it is asked to the next. */
  readonly pause: number;
  /** Looks until it is asked again. */
  left: number;
}

/** Between looks at what is waited for; all subscriptions of a process look at the same time. */
const LOOK_MS = 500;
/** A second: a relay that has been asked may have ended, or lead no longer. */
const PAUSE_MIN = 2;
/** Five seconds: a consumer with much to catch up with hears the answer last. */
const PAUSE_MAX = 10;

/** Asks the relays for progress while a subscription waits for it, until it has been heard. */
export class ProgressAsking {
  private readonly asked = new Map<Topic, Question>();
  private cancelLook: () => void = () => undefined;

  constructor(private readonly options: ProgressAskingOptions) {}

  start(): void {
    const { clock, delays } = this.options;
    this.cancelLook = delays.after(untilNextLook(LOOK_MS, clock.wall()), () => {
      for (const topic of this.options.topics) this.look(topic);
      this.start();
    });
  }

  stop(): void {
    this.cancelLook();
  }

  private look(topic: Topic): void {
    const until_ms = this.options.awaits(topic.mode);
    const heard_ms = this.options.heard(topic);
    if (until_ms === null || heard_ms >= until_ms) return void this.asked.delete(topic);
    const before = this.asked.get(topic);
    if (before && heard_ms <= before.heard_ms) {
      before.left -= 1;
      if (before.left > 0) return;
      const pause = Math.min(before.pause * 2, PAUSE_MAX);
      this.asked.set(topic, { heard_ms, pause, left: pause });
    } else {
      this.asked.set(topic, { heard_ms, pause: PAUSE_MIN, left: PAUSE_MIN });
    }
    void this.ask(topic, until_ms);
  }

  private async ask({ context, mode }: Topic, until_ms: number): Promise<void> {
    const { askProgress, consumer, log } = this.options;
    try {
      await askProgress(context, mode, until_ms);
    } catch (error) {
      log.info({ err: error, consumer, context, mode }, 'progress was not asked for');
    }
  }
}
