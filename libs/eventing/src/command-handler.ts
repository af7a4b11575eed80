import { createHash } from 'node:crypto';
import { isoTime, type Clock, type Decider } from '@tender/kernel';
import {
  modeOf,
  type DomainEvent,
  type EventMetadata,
  type NewEvent,
  type Position,
  type StoredEvent,
  type StreamName,
} from './event';
import type { EventStore } from './event-store';
import { Unavailable } from './failures';
import { ownEvent } from './own-event';
import type { Random } from './random';

/** Who asks, and under which id. A repeat of the same request carries the same `command_id`. */
export interface CommandOrigin {
  readonly command_id: string;
  /** Null when the command came from an event and not from a request. */
  readonly body_hash: string | null;
  readonly merchant_id: string | null;
  readonly actor: string;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  readonly subject_ids?: readonly string[];
}

export type Handled<State, Event extends DomainEvent, Refusal extends string> =
  | {
      readonly ok: true;
      /** As it was right after the command's own events, also when this is a repeat. */
      readonly state: State;
      readonly events: readonly StoredEvent<Event>[];
      readonly position: Position | null;
      readonly repeated: boolean;
    }
  | {
      readonly ok: false;
      readonly refusal: Refusal | 'idempotency_key_reused';
      readonly details?: Readonly<Record<string, unknown>>;
    };

export interface CommandHandlerOptions<
  State,
  Command,
  Event extends DomainEvent,
  Refusal extends string,
> {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly decider: Decider<State, Command, Event, Refusal>;
  /** True for commands that begin a stream: they append without loading it. */
  readonly begins: (command: Command) => boolean;
}

const ATTEMPTS_MAX = 6;

/**
 * Load, fold, decide, append: the one write of a command (settled 1). A stale revision is decided
 * again; a command that the stream already holds is answered from what is stored.
 */
export function commandHandler<State, Command, Event extends DomainEvent, Refusal extends string>(
  options: CommandHandlerOptions<State, Command, Event, Refusal>,
) {
  const { store, decider } = options;

  return async function handle(
    stream: StreamName,
    command: Command,
    origin: CommandOrigin,
  ): Promise<Handled<State, Event, Refusal>> {
    let history: readonly StoredEvent<Event>[] = options.begins(command) ? [] : await loadEvents();
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const earlier = history.filter((event) => event.metadata.command_id === origin.command_id);
      if (earlier.length > 0) return answerFromStored(earlier);

      const state = history.reduce(evolve, decider.initial);
      const decision = decider.decide(command, state);
      if (!decision.ok) return decision;
      if (decision.events.length === 0) {
        return { ok: true, state, events: [], position: null, repeated: false };
      }

      const last = history.at(-1);
      const appended = await store.append(
        stream,
        stamp(options, stream, decision.events, origin, last),
        last ? last.revision : 'no_stream',
      );
      if (appended.ok) {
        const events = appended.events as readonly StoredEvent<Event>[];
        return {
          ok: true,
          state: events.reduce(evolve, state),
          events,
          position: appended.position,
          repeated: false,
        };
      }
      history = await loadEvents();
    }
    throw new Unavailable(stream, { reason: 'too many writers at once' });

    async function loadEvents() {
      return (await store.load(stream)) as readonly StoredEvent<Event>[];
    }

    function answerFromStored(
      earlier: readonly StoredEvent<Event>[],
    ): Handled<State, Event, Refusal> {
      if (earlier.some((event) => event.metadata.body_hash !== origin.body_hash)) {
        return { ok: false, refusal: 'idempotency_key_reused' };
      }
      const last = earlier.at(-1) as StoredEvent<Event>;
      const until = history.filter((event) => event.revision <= last.revision);
      return {
        ok: true,
        state: until.reduce(evolve, decider.initial),
        events: earlier,
        position: last.position,
        repeated: true,
      };
    }
  };

  function evolve(state: State, event: StoredEvent<Event>): State {
    return decider.evolve(state, ownEvent<Event>(event));
  }
}

type Stamping = Pick<CommandHandlerOptions<never, never, never, never>, 'clock' | 'random'>;

function stamp<Event extends DomainEvent>(
  { clock, random }: Stamping,
  stream: StreamName,
  events: readonly Event[],
  origin: CommandOrigin,
  previous: NewEvent | undefined,
): NewEvent<Event>[] {
  let before = previous;
  return events.map((event) => {
    const metadata: EventMetadata = {
      id: random.uuid(),
      type: event.type,
      schema_version: 1,
      mode: modeOf(stream),
      merchant_id: origin.merchant_id,
      subject_ids: origin.subject_ids ?? [],
      actor: origin.actor,
      command_id: origin.command_id,
      body_hash: origin.body_hash,
      correlation_id: origin.correlation_id,
      causation_id: origin.causation_id,
      occurred_at: isoTime(clock.now()),
      recorded_at: isoTime(clock.wall()),
      prev_hash: before ? hashOf(before) : null,
    };
    const stamped = { type: event.type, data: event.data, metadata };
    before = stamped;
    return stamped;
  });
}

/** Chains a stream's events, so that an altered one shows (settled 9). */
export function hashOf(event: NewEvent): string {
  const { type, data, metadata } = event;
  return createHash('sha256')
    .update(JSON.stringify([type, data, metadata]))
    .digest('hex');
}
