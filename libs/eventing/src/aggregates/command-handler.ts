import { hash } from 'node:crypto';
import {
  decide,
  isoTime,
  type AnyDecider,
  type CommandOf,
  type EventOf,
  type RefusalOf,
  type StateOf,
} from '@tender/kernel';
import {
  modeOf,
  type DomainEvent,
  type EventMetadata,
  type NewEvent,
  type Position,
  type StoredEvent,
  type StreamName,
} from '../events/event';
import type { EventStore } from '../ports/event-store';
import { Unavailable } from '../ports/failures';
import { InTurn } from '../in-turn';
import type { Folding } from './folding';
import { ownEvent } from './own-event';
import type { Runtime } from '../runtime';

/** On whose behalf a command comes, and under which id. A repeat of the same request carries the same `command_id`. */
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
      readonly refusal: Refusal;
      readonly details?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly ok: false;
      readonly refusal: 'idempotency_key_reused';
      /** Business time of the request that used the key first. */
      readonly first_used_at: string;
    };

/** An event of these rules, as the store takes it. */
export type StorableOf<Rules extends AnyDecider> = EventOf<Rules> & DomainEvent;

/** Any rules as the fold that they are: the compiler does not see that state and event of a decider go together. */
export const foldingOf = <Rules extends AnyDecider>(
  rules: Rules,
): Folding<StateOf<Rules>, StorableOf<Rules>> =>
  rules as unknown as Folding<StateOf<Rules>, StorableOf<Rules>>;

/** What a command needs of the program. */
export interface Writing extends Pick<Runtime, 'clock' | 'random'> {
  readonly eventStore: Pick<EventStore, 'load' | 'append'>;
}

export interface CommandHandlerOptions<Rules extends AnyDecider> {
  readonly decider: Rules;
  /** Commands that begin a stream: they append without loading it. */
  readonly begins: readonly CommandOf<Rules>['type'][];
}

/** In turn: by then only other processes can have been faster. */
const ATTEMPTS_MAX = 6;

/**
 * Load, fold, decide, append: the one write of a command (P1). A stale revision is decided
 * again; a command that the stream already holds is answered from what is stored.
 *
 * One writer alone waits for nothing. Once one of this process was too late, those to its stream
 * take turns: any number of them at once come to their end.
 */
export function commandHandler<Rules extends AnyDecider>({
  decider,
  begins,
}: CommandHandlerOptions<Rules>) {
  const { initial, evolve } = foldingOf(decider);
  type State = StateOf<Rules>;
  type Event = StorableOf<Rules>;
  const in_turn = new InTurn();

  return async function handle<Command extends CommandOf<Rules>>(
    runtime: Writing,
    stream: StreamName,
    command: Command,
    origin: CommandOrigin,
  ): Promise<Handled<State, Event, RefusalOf<Rules, Command>>> {
    const { type } = command as { readonly type: CommandOf<Rules>['type'] };
    return (await attemptAlone()) ?? in_turn.run(stream, untilHandled);

    /** Null where others take turns already, too: they have been late before. */
    async function attemptAlone() {
      if (in_turn.isTaken(stream)) return null;
      const history = begins.includes(type) ? [] : await loadEvents();
      // Another one may have been late meanwhile.
      return in_turn.isTaken(stream) ? null : attempt(history);
    }

    async function untilHandled() {
      for (let tried = 1; tried <= ATTEMPTS_MAX; tried += 1) {
        const handled = await attempt(await loadEvents());
        if (handled !== null) return handled;
      }
      throw new Unavailable(stream, { reason: 'too many writers at once' });
    }

    /** Null: another writer was faster. */
    async function attempt(
      history: readonly StoredEvent<Event>[],
    ): Promise<Handled<State, Event, RefusalOf<Rules, Command>> | null> {
      const earlier = history.filter((event) => event.metadata.command_id === origin.command_id);
      if (earlier.length > 0) return answerFromStored(history, earlier);

      const state = history.reduce(fold, initial);
      const decision = decide(decider, command, state);
      if (!decision.ok) return decision;
      if (decision.events.length === 0) {
        return { ok: true, state, events: [], position: null, repeated: false };
      }

      const last = history.at(-1);
      const decided = decision.events as readonly Event[];
      const appended = await runtime.eventStore.append(
        stream,
        stamp(runtime, stream, decided, origin, last),
        last ? last.revision : 'no_stream',
      );
      if (!appended.ok) return null;
      const events = appended.events as readonly StoredEvent<Event>[];
      return {
        ok: true,
        state: events.reduce(fold, state),
        events,
        position: appended.position,
        repeated: false,
      };
    }

    async function loadEvents() {
      return (await runtime.eventStore.load(stream)) as readonly StoredEvent<Event>[];
    }

    function answerFromStored(
      history: readonly StoredEvent<Event>[],
      earlier: readonly StoredEvent<Event>[],
    ): Handled<State, Event, RefusalOf<Rules, Command>> {
      const other = earlier.find((event) => event.metadata.body_hash !== origin.body_hash);
      if (other) {
        const first_used_at = other.metadata.occurred_at;
        return { ok: false, refusal: 'idempotency_key_reused', first_used_at };
      }
      const last = earlier.at(-1) as StoredEvent<Event>;
      const until = history.filter((event) => event.revision <= last.revision);
      return {
        ok: true,
        state: until.reduce(fold, initial),
        events: earlier,
        position: last.position,
        repeated: true,
      };
    }
  };

  function fold(state: State, event: StoredEvent<Event>): State {
    return evolve(state, ownEvent<Event>(event));
  }
}

function stamp<Event extends DomainEvent>(
  { clock, random }: Pick<Writing, 'clock' | 'random'>,
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

/** Chains a stream's events, so that an altered one shows (L4). */
export function hashOf(event: NewEvent): string {
  const { type, data, metadata } = event;
  return hash('sha256', JSON.stringify([type, data, metadata]));
}
