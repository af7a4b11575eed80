import { categoryOf, type Position, type StreamName } from '../events/event';
import type { Context } from '../context';
import type { Runtime } from '../runtime';
import { eachChanged } from './changed-objects';
import { checkObjects, type Looked } from './check-objects';
import type { CheckedKind, InvariantCheck } from './invariant-check';
import { listedObjects } from './listed-objects';
import { readPass, savePass, type Pass } from './pass.record';
import {
  countViolations,
  dropMended,
  keepViolations,
  knownViolations,
  type ViolationCount,
} from './violation.record';

/** Objects of a kind that an hour's walk looks at, beside those that changed: a million within a day. */
const WALKED_MAX = 50_000;
const PAGE_MAX = 500;
/** Broken ones that are looked at again each time; there are never so many unless nothing else matters any more. */
const AGAIN_MAX = 1_000;

export type CheckingPorts = Pick<
  Runtime,
  'eventStore' | 'readModels' | 'chains' | 'clock' | 'log' | 'telemetry'
>;

export interface CheckingOptions {
  /** Waits a little between pages, so that checks never take a whole core or a whole database. */
  readonly rest: (signal: AbortSignal) => Promise<unknown>;
  /** Objects that one walk looks at; 50,000 of a kind unless told. */
  readonly walked_max?: number;
}

/**
 * Holds the objects of one context against its invariants, a part of them in each pass: those that were broken, those
 * that have changed since the last pass, and the next ones of all, so that what was altered without an event is found
 * within days. What is broken is logged once, kept in a table, and told until it is well.
 */
export class ContextChecks {
  /** Wall time (ms) of the last pass in which each invariant was looked at without a failure. */
  private readonly whole_ms = new Map<string, number>();
  private counted: readonly ViolationCount[] = [];

  constructor(
    private readonly ports: CheckingPorts,
    private readonly context: Pick<Context, 'name' | 'schema' | 'invariants'>,
    private readonly options: CheckingOptions,
  ) {
    for (const { id } of this.checks) this.whole_ms.set(id, ports.clock.wall());
  }

  /** How many objects break each invariant, in each mode: 0 where it holds. */
  get violations(): readonly ViolationCount[] {
    const counted = new Map(this.counted.map((one) => [`${one.invariant} ${one.mode}`, one]));
    const all = this.checks.flatMap(({ id, of }) =>
      of.categories.map((category) => ({ id, mode: category.slice(category.lastIndexOf('.') + 1) })),
    );
    const none = new Map(
      all.map(({ id, mode }) => [`${id} ${mode}`, { invariant: id, mode, objects: 0 }]),
    );
    return [...none].map(([key, one]) => counted.get(key) ?? (one as ViolationCount));
  }

  /** Seconds since each invariant was last looked at without a failure. */
  get ages(): readonly { readonly invariant: string; readonly seconds: number }[] {
    const now = this.ports.clock.wall();
    return [...this.whole_ms].map(([invariant, at]) => ({
      invariant,
      seconds: (now - at) / 1_000,
    }));
  }

  async pass(signal: AbortSignal): Promise<void> {
    const { readModels } = this.ports;
    const { schema } = this.context;
    this.counted = await countViolations(readModels, schema);
    const failed = new Set<string>();
    const broken = await knownViolations(readModels, schema, AGAIN_MAX);
    for (const [kind, checks] of checksByKind(this.checks)) {
      const look = (streams: readonly StreamName[]): Promise<void> =>
        this.look(checks, streams, failed);
      const pass = await readPass(readModels, schema, nameOf(kind));
      await look(broken.filter((stream) => kind.categories.includes(categoryOf(stream))));
      const position = await this.lookAtChanged(kind, pass, look, signal);
      await this.walk(kind, { ...pass, position }, look, signal);
      signal.throwIfAborted();
    }
    this.counted = await countViolations(readModels, schema);
    const now = this.ports.clock.wall();
    for (const { id } of this.checks) if (!failed.has(id)) this.whole_ms.set(id, now);
  }

  private get checks(): readonly InvariantCheck[] {
    return this.context.invariants ?? [];
  }

  /** What no table lists begins with the beginning of the log; of all else the walk looks at what was there before. */
  private async lookAtChanged(
    kind: CheckedKind,
    pass: Pass,
    look: (streams: readonly StreamName[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Position | null> {
    const { eventStore, readModels } = this.ports;
    const { schema, name } = this.context;
    let position = pass.position ?? (kind.list === null ? null : await eventStore.newest());
    const since = {
      ...{ name: `${name}.invariants-${nameOf(kind)}:all`, categories: kind.categories },
      ...{ from: position, signal },
    };
    await eachChanged(eventStore, since, async (streams, up_to) => {
      await look(streams);
      position = up_to;
      await savePass(readModels, schema, nameOf(kind), { ...pass, position });
      if (streams.length > 0) await this.options.rest(signal);
    });
    return position;
  }

  /** The next ones of all, from the beginning again after the last. */
  private async walk(
    kind: CheckedKind,
    pass: Pass,
    look: (streams: readonly StreamName[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { readModels } = this.ports;
    const { walked_max = WALKED_MAX, rest } = this.options;
    let { walked_to } = pass;
    for (let walked = 0; kind.list !== null && walked < walked_max && !signal.aborted; ) {
      const limit = Math.min(PAGE_MAX, walked_max - walked);
      const page = await listedObjects(readModels, kind, kind.list, walked_to, limit);
      await look(page.streams);
      walked_to = page.next ?? '';
      await savePass(readModels, this.context.schema, nameOf(kind), { ...pass, walked_to });
      if (page.next === null) return;
      walked += page.streams.length;
      await rest(signal);
    }
  }

  private async look(
    checks: readonly InvariantCheck[],
    streams: readonly StreamName[],
    failed: Set<string>,
  ): Promise<void> {
    if (streams.length === 0) return;
    const { log } = this.ports;
    const context = this.context.name;
    for (const looked of await checkObjects(this.ports, checks, streams)) {
      if ('findings' in looked) {
        await this.record(looked);
        continue;
      }
      const invariant = looked.check.id;
      failed.add(invariant);
      log.warn({ err: looked.error, invariant, context }, 'an invariant could not be checked');
    }
  }

  private async record({ check, mode, objects, findings }: Looked): Promise<void> {
    const { readModels, log, telemetry } = this.ports;
    const { name: context, schema } = this.context;
    const invariant = check.id;
    const labels = { invariant, context, mode };
    telemetry.count('tender_invariant_checked_total', labels, objects.length);
    const found = findings.map((finding) => ({ invariant, mode, ...finding }));
    for (const { stream, says } of await keepViolations(readModels, schema, found)) {
      log.error({ ...labels, stream, says }, 'an invariant is broken');
    }
    if (!this.counted.some((one) => one.invariant === invariant)) return;
    const still = findings.map(({ stream }) => stream);
    for (const stream of await dropMended(readModels, schema, invariant, objects, still)) {
      log.info({ ...labels, stream }, 'an invariant holds again');
    }
  }
}

/** Those of one kind together, so that an object is loaded once for all of them. */
export const checksByKind = (
  checks: readonly InvariantCheck[],
): readonly (readonly [CheckedKind, readonly InvariantCheck[]])[] =>
  [...Map.groupBy(checks, ({ of }) => nameOf(of)).values()].map(
    (some) => [(some[0] as InvariantCheck).of, some] as const,
  );

/** `payment`: the noun of its streams. */
const nameOf = ({ categories }: CheckedKind): string => {
  const category = String(categories[0]);
  return category.slice(0, category.lastIndexOf('.'));
};
