import { COMPOSITION } from '@tender/composition';
import {
  checkObjects,
  checksByKind,
  listedObjects,
  type CheckedKind,
  type CheckPorts,
  type Context,
  type StreamMode,
  type StreamName,
} from '@tender/eventing';
import type { System } from '../system';

/** One invariant of one context in one mode. */
export interface Held {
  readonly invariant: string;
  readonly context: string;
  readonly mode: StreamMode;
  checked: number;
  broken: number;
}

/** An object that breaks one, or a check that could not be made: then without an object. */
export interface Broken {
  readonly invariant: string;
  readonly context: string;
  readonly stream: StreamName | null;
  readonly says: string;
}

const PAGE_MAX = 500;
const BATCH_MAX = 2_500;

/** Holds all objects of all contexts against all invariants that need no chain. `report` hears of each fault. */
export async function holdAll(
  system: System,
  report: (broken: Broken) => void,
): Promise<readonly Held[]> {
  const all: Held[] = [];
  for (const context of Object.values(COMPOSITION)) {
    if (await hasTables(system, context)) all.push(...(await holdContext(system, context, report)));
  }
  return all;
}

/** The process of a context that is new in this release may not have begun yet. */
async function hasTables({ readModels }: System, { schema }: Context): Promise<boolean> {
  const [found] = await readModels.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [`${schema}.invariant_passes`],
  );
  return found?.there === true;
}

async function holdContext(
  system: System,
  { name: context, invariants = [] }: Context,
  report: (broken: Broken) => void,
): Promise<readonly Held[]> {
  const { log, readModels } = system;
  const ports: CheckPorts = { eventStore: log, readModels, chains: null };
  const held = new Map<string, Held>();
  for (const [kind, checks] of checksByKind(invariants)) {
    for await (const streams of pagesOf(system, kind)) {
      for (const looked of await checkObjects(ports, checks, streams)) {
        const invariant = looked.check.id;
        if ('error' in looked) {
          report({ invariant, context, stream: null, says: String(looked.error) });
          continue;
        }
        const { mode, objects, findings } = looked;
        const one = held.get(`${invariant} ${mode}`) ?? { invariant, context, mode, checked: 0, broken: 0 };
        one.checked += objects.length;
        one.broken += findings.length;
        held.set(`${invariant} ${mode}`, one);
        for (const finding of findings) report({ invariant, context, ...finding });
      }
    }
  }
  return [...held.values()];
}

async function* pagesOf(
  { readModels, log }: System,
  kind: CheckedKind,
): AsyncGenerator<readonly StreamName[]> {
  if (kind.list === null) {
    for await (const batch of log.batches(kind.categories, null, null, BATCH_MAX)) {
      yield [...new Set(batch.map(({ stream }) => stream))];
    }
    return;
  }
  for (let after: string | null = ''; after !== null; ) {
    const page = await listedObjects(readModels, kind, kind.list, after, PAGE_MAX);
    if (page.streams.length > 0) yield page.streams;
    after = page.next;
  }
}
