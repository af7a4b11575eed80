import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Appended,
  Category,
  EventStore,
  FollowOptions,
  StoredEvent,
  StreamName,
} from '@tender/eventing';
import { startEventStoreDouble, type EventStoreDouble } from '@tender/eventstore-double';
import { eventStoreDb, type EventStoreDb, type EventStoreDbOptions } from '../index';
import { silentLog, systemClock } from './ports';

export const ROOT = join(__dirname, '..', '..', '..', '..', '..');

/** The double and other writers run in processes of their own, so they run built. */
export function buildDouble(): void {
  const compiler = join(ROOT, 'node_modules', 'typescript7', 'bin', 'tsc');
  const projects = ['tools/eventstore-double', 'libs/adapters/eventstoredb'];
  execFileSync(process.execPath, [compiler, '-b', ...projects], { cwd: ROOT });
}

export interface DoubleOfTest {
  readonly double: EventStoreDouble;
  /** On the same folder and port. */
  restart(): Promise<EventStoreDouble>;
  end(): Promise<void>;
}

/** A double in a temporary folder. */
export async function startDoubleOfTest(): Promise<DoubleOfTest> {
  const folder = mkdtempSync(join(tmpdir(), 'tender-eventstore-'));
  let double = await startEventStoreDouble({ dataDir: folder });
  return {
    get double() {
      return double;
    },
    async restart() {
      double = await startEventStoreDouble({ dataDir: folder });
      return double;
    },
    async end() {
      await double.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that is only slow is waited for. */
const patient = { append_timeout_ms: 300_000, read_timeout_ms: 300_000 };

export const makeStore = (
  connectionString: string,
  options: Partial<EventStoreDbOptions> = {},
): EventStoreDb =>
  eventStoreDb({ connectionString, clock: systemClock, log: silentLog, ...patient, ...options });

/**
 * The same store with nouns of its own: one server serves many tests, and a real one also keeps what
 * earlier runs have left.
 */
export function apart<Store extends EventStore>(store: Store, mark: string): Store {
  const into = <Name extends StreamName | Category>(name: Name): Name =>
    `${mark}_${name}` as Name;
  const out = (event: StoredEvent): StoredEvent => ({
    ...event,
    stream: event.stream.slice(mark.length + 1) as StreamName,
  });
  return {
    ...store,
    async append(stream, events, expected): Promise<Appended> {
      const appended = await store.append(into(stream), events, expected);
      return appended.ok ? { ...appended, events: appended.events.map(out) } : appended;
    },
    load: async (stream) => (await store.load(into(stream))).map(out),
    follow: (followed: FollowOptions) =>
      store.follow({
        ...followed,
        categories: followed.categories.map(into),
        onEvents: (events) => followed.onEvents(events.map(out)),
      }),
  };
}
