import {
  invariant,
  type AnyDecider,
  type CommandOf,
  type EventOf,
  type Mode,
  type RefusalOf,
  type Sentences,
  type StateOf,
} from '@tender/kernel';
import {
  streamName,
  type Category,
  type DomainEvent,
  type Position,
  type StoredEvent,
  type StreamMode,
  type StreamName,
} from '../events/event';
import type { Runtime } from '../runtime';
import {
  commandHandler,
  foldingOf,
  type CommandOrigin,
  type Handled,
  type StorableOf,
  type Writing,
} from './command-handler';
import { foldedView, type Columns, type FoldedView } from './folded-view';
import { isKnown, type Known } from './known';
import { onceADay, type CommandRequest } from './once-a-day';
import { ownEvent } from './own-event';
import { readStream } from './read-stream';
import { storyOf, type Step } from './story';

export interface AggregateOptions<Rules extends AnyDecider> {
  /** In names of streams and in sentences: `payment`. */
  readonly noun: string;
  /** `['all']` for accounts; both modes otherwise. */
  readonly modes: readonly StreamMode[];
  readonly decider: Rules;
  /** Types of the commands that begin a stream: they append without loading it. */
  readonly begins: readonly CommandOf<Rules>['type'][];
  /** The mode that an id tells; left out where ids tell none. */
  readonly modeOf?: (id: string) => Mode | null;
  /** What the stream of an id is called, where that is not the id itself. */
  readonly streamId?: (id: string) => string;
  /** What each event says to a person; left out where no route tells the story of such an object. */
  readonly says?: Sentences<EventOf<Rules> & DomainEvent>;
}

export interface ViewOptions<State> {
  /** `<context>.<view>@<version>` */
  readonly name: string;
  /** Qualified; has `id`, `state json`, `position text`, and a column for each of the following. */
  readonly table: string;
  /** Whose it is: columns `merchant_id` and `mode` hold it, and no other merchant finds it. */
  readonly merchantOf?: (state: Known<State>) => string;
  /** More columns, to find and order rows by. */
  readonly columns?: Columns<State>;
}

/** A request by a client of a merchant: what `aggregate.request` needs of it. */
export interface MerchantRequest extends CommandRequest {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly body_hash: string;
  readonly correlation_id: string;
}

/** What a request wants of an aggregate. */
export interface Wish<Command> {
  readonly id: string;
  readonly command: Command;
  /** Whose personal data the events hold. */
  readonly subject_ids?: readonly string[];
  /** Whose object it is, where that is not the merchant that asks. */
  readonly merchant_id?: string;
}

type HandledBy<Rules extends AnyDecider, Command extends CommandOf<Rules>> = Handled<
  Known<StateOf<Rules>>,
  StorableOf<Rules>,
  RefusalOf<Rules, Command>
>;

type Reading = Pick<Runtime, 'eventStore' | 'readModels'>;

export interface Aggregate<Rules extends AnyDecider> {
  /** Of its streams, in all modes. */
  readonly categories: readonly Category[];
  stream(mode: StreamMode, id: string): StreamName;
  /** A command that follows from an event or is due. */
  handle<Command extends CommandOf<Rules>>(
    runtime: Writing,
    mode: StreamMode,
    id: string,
    command: Command,
    origin: CommandOrigin,
  ): Promise<HandledBy<Rules, Command>>;
  /**
   * The command of a client's request, in the mode that it asks in. `wish` makes it from the request, ids included:
   * it is called again with other ids where the request's Idempotency-Key was used more than a day ago.
   */
  request<Request extends MerchantRequest, Command extends CommandOf<Rules>>(
    runtime: Writing & Pick<Runtime, 'keyRing'>,
    request: Request,
    wish: (asked: Request) => Wish<Command> | Promise<Wish<Command>>,
  ): Promise<{ readonly handled: HandledBy<Rules, Command>; readonly asked: Request }>;
  /** Folded from its stream. Null: there is none, or the id tells another mode. */
  load(
    runtime: { readonly eventStore: Pick<Runtime['eventStore'], 'load'> },
    mode: StreamMode,
    id: string,
  ): Promise<Known<StateOf<Rules>> | null>;
  /** All that happened to it, oldest first; empty where there is none, or the id tells another mode. */
  history(
    runtime: Pick<Runtime, 'eventStore'>,
    mode: StreamMode,
    id: string,
  ): Promise<readonly StoredEvent[]>;
  /** As it was at that business time; its first event always counts: when it began is for its own data to say. */
  asOf(
    runtime: Pick<Runtime, 'eventStore'>,
    mode: StreamMode,
    id: string,
    time: string,
  ): Promise<Known<StateOf<Rules>> | null>;
  /** What its events say to a person, in order; those of a later release say nothing. */
  story(history: readonly StoredEvent[]): readonly Step[];
}

/** An aggregate that is read and listed, too. */
export interface ViewedAggregate<Rules extends AnyDecider> extends Aggregate<Rules> {
  readonly view: FoldedView<StateOf<Rules>>;
  merchantOf(state: Known<StateOf<Rules>>): string | null;
  /** Its row, or its stream where the row is older than `min_position`. Null as in `load`. */
  read(
    runtime: Reading,
    mode: StreamMode,
    id: string,
    min_position: Position | null,
  ): Promise<Known<StateOf<Rules>> | null>;
}

/**
 * One kind of object: the names of its streams, its command handler, its row. Everything that is asked of it goes
 * through this value.
 */
export function aggregate<Rules extends AnyDecider>(
  options: AggregateOptions<Rules> & { readonly view: ViewOptions<StateOf<Rules>> },
): ViewedAggregate<Rules>;
export function aggregate<Rules extends AnyDecider>(
  options: AggregateOptions<Rules>,
): Aggregate<Rules>;
export function aggregate<Rules extends AnyDecider>(
  options: AggregateOptions<Rules> & { readonly view?: ViewOptions<StateOf<Rules>> },
): Aggregate<Rules> {
  const { noun, modes, decider, begins, view } = options;
  invariant(!noun.includes('-'), 'a noun has no dash: the category of a stream ends before its first one');
  const folding = foldingOf(decider);
  const run = commandHandler({ decider, begins });
  type State = StateOf<Rules>;

  const stream = (mode: StreamMode, id: string): StreamName =>
    streamName(noun, mode, options.streamId?.(id) ?? id);
  const isOf = (mode: StreamMode, id: string): boolean =>
    options.modeOf === undefined || options.modeOf(id) === mode;

  async function handle<Command extends CommandOf<Rules>>(
    runtime: Writing,
    mode: StreamMode,
    id: string,
    command: Command,
    origin: CommandOrigin,
  ): Promise<HandledBy<Rules, Command>> {
    const handled = await run(runtime, stream(mode, id), command, origin);
    if (!handled.ok) return handled;
    const { state } = handled;
    invariant(isKnown<State>(state), `there is a ${noun} once a command to it holds`);
    return { ...handled, state };
  }

  async function history(
    { eventStore }: Pick<Runtime, 'eventStore'>,
    mode: StreamMode,
    id: string,
  ): Promise<readonly StoredEvent[]> {
    return isOf(mode, id) ? eventStore.load(stream(mode, id)) : [];
  }

  const base: Aggregate<Rules> = {
    categories: modes.map((mode): Category => `${noun}.${mode}`),
    stream,
    handle,
    request: (runtime, request, wish) =>
      onceADay(runtime, request, async (asked) => {
        const { id, command, subject_ids = [], merchant_id } = await wish(asked);
        return handle(runtime, modes.includes('all') ? 'all' : asked.mode, id, command, {
          command_id: asked.command_id,
          body_hash: asked.body_hash,
          merchant_id: (merchant_id ?? asked.merchant_id) || null,
          actor: asked.actor,
          correlation_id: asked.correlation_id,
          causation_id: null,
          subject_ids,
        });
      }),
    history,
    async asOf(runtime, mode, id, time) {
      const events = await history(runtime, mode, id);
      const later = events.findIndex(
        ({ revision, metadata }) => revision > 0 && metadata.occurred_at > time,
      );
      const until = later < 0 ? events : events.slice(0, later);
      return knownOrNull(
        until.reduce((state, event) => folding.evolve(state, ownEvent(event)), folding.initial),
      );
    },
    story: (events) => storyOf(events, options.says ?? {}),
    async load({ eventStore }, mode, id) {
      if (!isOf(mode, id)) return null;
      return knownOrNull(await readStream(eventStore, folding, stream(mode, id)));
    },
  };
  if (!view) return base;

  const { merchantOf } = view;
  const owned = merchantOf && {
    merchant_id: ['text', merchantOf] as const,
    mode: ['text', (_: unknown, mode: StreamMode) => mode] as const,
  };
  const folded = foldedView({
    ...{ name: view.name, table: view.table, noun, modes, decider: folding },
    columns: { ...owned, ...view.columns } as Columns<State>,
  });
  const viewed: ViewedAggregate<Rules> = {
    ...base,
    view: folded,
    merchantOf: (state) => merchantOf?.(state) ?? null,
    async read(runtime, mode, id, min_position) {
      if (!isOf(mode, id)) return null;
      return knownOrNull(await folded.read(runtime, stream(mode, id), min_position));
    },
  };
  return viewed;
}

const knownOrNull = <State>(state: State | null): Known<State> | null =>
  state !== null && isKnown(state) ? (state as Known<State>) : null;
