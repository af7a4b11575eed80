import { idOf, modeOf, type StoredEvent, type StreamMode, type StreamName } from '../events/event';
import type { EventStore } from '../ports/event-store';
import type { CheckedObject, CheckPorts, Finding, InvariantCheck } from './invariant-check';

/** A log reads so many streams by one statement; more at once would only wait for each other. */
const LOADED_AT_ONCE = 32;

/** What one check says of some objects. */
export interface Looked {
  readonly check: InvariantCheck;
  readonly mode: StreamMode;
  readonly objects: readonly StreamName[];
  readonly findings: readonly Finding[];
}

export type LookedOrFailed = Looked | { readonly check: InvariantCheck; readonly error: unknown };

/** Loads these objects once, and holds each check of their kind against them. A check that throws ends no other. */
export async function checkObjects(
  ports: CheckPorts,
  checks: readonly InvariantCheck[],
  streams: readonly StreamName[],
): Promise<readonly LookedOrFailed[]> {
  const by_mode = Map.groupBy(await loadObjects(ports, streams), ({ stream }) => modeOf(stream));
  const looked: LookedOrFailed[] = [];
  for (const [mode, objects] of by_mode) {
    for (const check of checks) looked.push(await look(ports, check, mode, objects));
  }
  return looked;
}

async function look(
  ports: CheckPorts,
  check: InvariantCheck,
  mode: StreamMode,
  objects: readonly CheckedObject[],
): Promise<LookedOrFailed> {
  try {
    const findings = await check.find(ports, mode, objects);
    return { check, mode, objects: objects.map(({ stream }) => stream), findings };
  } catch (error) {
    return { check, error };
  }
}

async function loadObjects(
  { eventStore }: CheckPorts,
  streams: readonly StreamName[],
): Promise<readonly CheckedObject[]> {
  const histories = await loadHistories(eventStore, streams);
  return [...histories].flatMap(([stream, history]) =>
    history.length > 0 ? { stream, id: idOf(stream), history } : [],
  );
}

/** The events of each of these streams, each read once, many by one question. */
export async function loadHistories(
  eventStore: Pick<EventStore, 'load'>,
  streams: Iterable<StreamName>,
): Promise<ReadonlyMap<StreamName, readonly StoredEvent[]>> {
  const wanted = [...new Set(streams)];
  const histories = new Map<StreamName, readonly StoredEvent[]>();
  for (let first = 0; first < wanted.length; first += LOADED_AT_ONCE) {
    const some = wanted.slice(first, first + LOADED_AT_ONCE);
    const loaded = await Promise.all(some.map((stream) => eventStore.load(stream)));
    for (const [index, stream] of some.entries()) histories.set(stream, loaded[index] ?? []);
  }
  return histories;
}
