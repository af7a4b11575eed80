/// <reference types="jest" />
import type { BatchHandler, Bus, Consumer, PublicEvent } from '../ports/bus';
import type { StoredEvent, StreamName } from '../events/event';
import type { EventStore } from '../ports/event-store';
import type { Publishing } from '../publishing/publish';
import { sampleEvent } from './sample-events';

export interface BusUnderTest {
  /** The log that the bus speaks from. */
  readonly store: EventStore;
  readonly bus: Bus;
  /** Another bus over the same checkpoints, as after a restart; the one before is closed. */
  reopen(): Promise<Bus>;
  close(): Promise<void>;
}

const BREATH_MS = 20;
/** Five tries are over in a moment. */
const HURRIED = 2;
/** The first tries come soon; all five take minutes, in which the slowest machine has mended what was broken. */
const PATIENT = 20;
let growth = PATIENT;

/** Wait of a parked message in these tests, by its tries. */
export const conformanceRetryDelay = (tries: number): number => BREATH_MS * growth ** (tries - 1);

/** Whether all five tries of a parked message are over in a moment. */
export function hurryRetries(hurries: boolean): void {
  growth = hurries ? HURRIED : PATIENT;
}

export const NOTED = 'notes.noted.v1';
export const ERASED = 'notes.erased.v1';

/** The contexts that a bus under test is made with. */
export const conformanceContexts: readonly Publishing[] = [
  {
    name: 'notes',
    schema: 'notes',
    publishes: {
      categories: ['note.test', 'note.live'],
      publish: ({ type, data }: StoredEvent) =>
        ({
          Noted: { type: NOTED, data },
          Erased: { type: ERASED, data, merchant_id: null },
        })[type] ?? null,
    },
  },
  { name: 'readers', schema: 'readers', publishes: { categories: [], publish: () => null } },
];

/** A consumer that keeps what it hears, but for batches with an event that `fails`. */
export async function collect(
  bus: Bus,
  consumerName: string,
  types: readonly string[],
  fails: (event: PublicEvent) => boolean = () => false,
) {
  const seen: PublicEvent[] = [];
  const handler: BatchHandler = (batch) => {
    if (batch.some(fails)) return Promise.reject(new Error('meant'));
    seen.push(...batch);
    return Promise.resolve();
  };
  const consumer: Consumer = await bus.consume({ consumer: consumerName, types, handler });
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await breathe();
  };
  return { seen, consumer, until };
}

export async function write(
  store: EventStore,
  stream: StreamName,
  length: number,
  notes: readonly string[],
  type = 'Noted',
): Promise<void> {
  const events = notes.map((note) => sampleEvent(stream, { note }, { type }));
  const appended = await store.append(stream, events, length === 0 ? 'no_stream' : length - 1);
  expect(appended).toMatchObject({ ok: true });
}

export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, BREATH_MS);
  });
