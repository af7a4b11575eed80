import {
  followProjections,
  type Context,
  type Led,
  type Runtime,
  type Worker,
} from '@tender/eventing';
import type { OpenContext, Term } from '@tender/http';
import type { BusTransport } from './bus-transport';
import { DueTimers } from './due-timers.worker';
import { InvariantChecks } from './invariant-checks.worker';
import type { Handling, StageParts } from './program-stage';

/** What follows the log for as long as this process leads. */
export interface LeaderFollower extends Handling {
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

export interface WorkParts {
  /** What projections, timers and checks of invariants read and write. */
  readonly runtime: Pick<
    Runtime,
    'eventStore' | 'readModels' | 'chains' | 'clock' | 'random' | 'log' | 'telemetry'
  >;
  readonly contexts: readonly Pick<
    Context,
    'name' | 'schema' | 'projections' | 'timers' | 'invariants'
  >[];
  readonly opened: Required<OpenContext>;
  /** Knows its reactors once the application has started. */
  readonly transport: BusTransport;
  /** The relay to Kafka, where there is one. */
  readonly relay?: LeaderFollower;
}

/** What the contexts of a process do beside answering: in every run the same, begun and ended as one. */
export class Work {
  private term: Term | null = null;
  private workers: readonly Worker[] = [];
  private following: readonly LeaderFollower[] = [];

  constructor(private readonly parts: WorkParts) {}

  readonly stage: StageParts['work'] = {
    workers: () => this.workers,
    followers: () => (this.term ? [...this.following, this.parts.transport] : []),
  };

  /**
   * Begins a term. What has begun is ended again when a later part fails, or when it is `over` by then: a process that
   * starts later takes checkpoints from its heir.
   */
  async start(over?: AbortSignal): Promise<Led> {
    const { runtime, contexts, opened, transport, relay } = this.parts;
    const term = opened.beginTerm();
    const projections = contexts.map((context) => followProjections({ ...runtime, ...context }));
    this.following = relay ? [...projections, relay] : projections;
    this.term = term;
    const timers = contexts.flatMap((context) => context.timers ?? []);
    const checks = new InvariantChecks(runtime, contexts);
    this.workers = [...term.workers, new DueTimers(runtime, timers), checks];
    try {
      over?.throwIfAborted();
      await allStarted(projections);
      over?.throwIfAborted();
      await relay?.start();
      over?.throwIfAborted();
      await transport.subscribe(term.hearing);
      over?.throwIfAborted();
      await allStarted(this.workers);
    } catch (error) {
      await this.stop();
      throw error;
    }
    return { stop: () => this.stop() };
  }

  /** Stops everything at once; rejects where something did not end well. */
  private async stop(): Promise<void> {
    const { term, workers } = this;
    const ended = await Promise.allSettled([
      ...workers.map((worker) => worker.stop()),
      this.parts.transport.close(),
      ...this.following.map((one) => one.stop()),
    ]);
    this.term = null;
    this.workers = [];
    this.following = [];
    term?.end();
    const faults = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (faults.length > 0) throw new AggregateError(faults, 'the work of a term did not end well');
  }
}

/** Rejects when one has not started, after all have tried: what starts later would never be stopped. */
async function allStarted(parts: readonly { start(): Promise<unknown> }[]): Promise<void> {
  const tried = await Promise.allSettled(parts.map((part) => part.start()));
  const failed = tried.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
