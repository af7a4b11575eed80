import type { StoredEvent, StreamName } from '@tender/eventing';

/** What those hold up that wait for the longest of their streams. */
const STREAMS_MAX = 32;

type Events = readonly StoredEvent[];
/** The events of these streams, those of each stream oldest first. */
type ReadStreams = (streams: readonly StreamName[]) => Promise<Events>;

/**
 * Streams that are asked for in one turn of the event loop are read by one query, each once: a query costs a busy
 * process more than its rows do. At rest each is alone in its turn, and none waits. What was appended before it was
 * asked for is in the answer, as if each had its own query.
 */
export class GatheredLoads {
  private turn: Turn | null = null;

  constructor(private readonly read: ReadStreams) {}

  load(stream: StreamName): Promise<Events> {
    if (this.turn === null) {
      this.turn = new Turn();
      setImmediate(() => this.readAll());
    }
    const turn = this.turn;
    const loaded = turn.load(stream);
    if (turn.size === STREAMS_MAX) this.readAll();
    return loaded;
  }

  private readAll(): void {
    const turn = this.turn;
    this.turn = null;
    if (turn) void turn.read(this.read);
  }
}

interface Waiting {
  readonly events: Promise<Events>;
  readonly resolve: (events: Events) => void;
  readonly reject: (error: unknown) => void;
}

class Turn {
  private readonly waiting = new Map<StreamName, Waiting>();

  get size(): number {
    return this.waiting.size;
  }

  load(stream: StreamName): Promise<Events> {
    const waiting = this.waiting.get(stream) ?? newWaiting();
    this.waiting.set(stream, waiting);
    return waiting.events;
  }

  async read(read: ReadStreams): Promise<void> {
    try {
      const events = Map.groupBy(await read([...this.waiting.keys()]), ({ stream }) => stream);
      for (const [stream, { resolve }] of this.waiting) resolve(events.get(stream) ?? []);
    } catch (error) {
      for (const { reject } of this.waiting.values()) reject(error);
    }
  }
}

function newWaiting(): Waiting {
  const { promise, resolve, reject } = Promise.withResolvers<Events>();
  return { events: promise, resolve, reject };
}
