import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@tender/adapter-memory';
import { postgresEventStore, postgresReadModels } from '@tender/adapter-postgres';
import { patient, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import {
  checkedKind,
  ContextChecks,
  followProjections,
  ownInvariant,
  type InvariantCheck,
  type Log,
  type ProjectionFollowers,
} from '@tender/eventing';
import { recordedTelemetry, sampleEvent } from '@tender/eventing/testing';
import { InvariantChecks } from './invariant-checks.worker';
import { book, CreateBooks1700000000000, type Lent } from './testing/library';

const HOUR_MS = 3_600_000;

let server: TestPostgres;
let told: { level: string; message: string; facts: object }[];
let wall_ms: number;
let runtime: Awaited<ReturnType<typeof portsOf>>;
let telemetry: ReturnType<typeof recordedTelemetry>;
let projections: ProjectionFollowers;

const clock = { now: () => wall_ms, wall: () => wall_ms };

/** Which books the rule was held against, in the order of the questions. */
let looked_at: string[][];
/** A book that is stubborn breaks the rule. */
const isKind: InvariantCheck['find'] = async (_, __, objects) => {
  looked_at.push(objects.map(({ id }) => id).toSorted());
  return objects.flatMap(({ stream, history }) =>
    (history[0]?.data as Lent['data']).stubborn ? { stream, says: 'it is stubborn' } : [],
  );
};
const kind: InvariantCheck = { id: 'B1', says: 'No book is stubborn.', of: checkedKind(book), find: isKind };

async function portsOf(connectionString: string) {
  const note = (level: string) => (facts: object, message: string) =>
    void told.push({ level, message, facts });
  const log: Log = { info: () => undefined, warn: note('warn'), error: note('error') } as Log;
  const eventStore = postgresEventStore({ connectionString, clock, log, ...patient });
  await eventStore.start();
  const schemas = ['library'];
  const migrations = [CreateBooks1700000000000];
  const readModels = postgresReadModels({ connectionString, schemas, migrations, log });
  await readModels.start();
  const chains = {} as never;
  const { telemetry: port } = telemetry;
  return { eventStore, readModels, chains, clock, log, telemetry: port, random: seededRandom() };
}

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  [told, looked_at, wall_ms] = [[], [], Date.parse('2026-01-01T00:00:00.000Z')];
  telemetry = recordedTelemetry();
  runtime = await portsOf(await server.database());
  projections = followProjections({ ...runtime, schema: 'library', projections: [book.view] });
  await projections.start();
});
afterEach(async () => {
  await projections.stop();
  await runtime.eventStore.close();
  await runtime.readModels.close();
});

async function lend(id: string, stubborn = false): Promise<void> {
  const lent = { merchant_id: 'm1', due_at: '2026-01-02T00:00:00.000Z', stubborn };
  const origin = {
    ...{ command_id: `lend ${id}`, body_hash: null, merchant_id: 'm1', actor: 'public' },
    ...{ correlation_id: randomUUID(), causation_id: null },
  };
  await book.handle(runtime, 'test', id, { type: 'Lend', book: lent }, origin);
  await projections.idle();
}

const remind = (id: string, revision: number) => {
  const stream = book.stream('test', id);
  const data = { for: 'it', next_at: null };
  return runtime.eventStore.append(stream, [sampleEvent(stream, data, { type: 'Reminded' })], revision);
};

const library = (...invariants: readonly InvariantCheck[]) => ({
  ...{ name: 'library', schema: 'library', invariants },
});
const checksOf = (walked_max: number, ...invariants: readonly InvariantCheck[]) =>
  new ContextChecks(runtime, library(...invariants), { rest: async () => undefined, walked_max });
const pass = async (checks: ContextChecks): Promise<string[][]> => {
  await checks.pass(new AbortController().signal);
  return looked_at.splice(0);
};
const errors = () =>
  told.splice(0).filter(({ level }) => level === 'error').map(({ facts }) => facts);

test('a pass looks at what has changed since the last one, and at the next ones of all', async () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) await lend(id);
  const checks = checksOf(2, kind);
  expect(await pass(checks)).toEqual([['a', 'b']]);
  await remind('e', 0);
  await remind('a', 0);
  expect(await pass(checks)).toEqual([['a', 'e'], ['c', 'd']]);
  expect(await pass(checks)).toEqual([['e']]);
  // Another process goes on where that one has stopped.
  expect(await pass(checksOf(2, kind))).toEqual([['a', 'b']]);
});

test('what no table lists is looked at from the beginning of the log on, and then when it changes', async () => {
  for (const id of ['a', 'b']) await lend(id);
  const unlisted = { ...kind, of: checkedKind(book, null) };
  expect(await pass(checksOf(2, unlisted))).toEqual([['a', 'b']]);
  await remind('b', 0);
  expect(await pass(checksOf(2, unlisted))).toEqual([['b']]);
  expect(await pass(checksOf(2, unlisted))).toEqual([]);
});

test('what is broken is logged once, told until it is well, and looked at again each time', async () => {
  await lend('a', true);
  await lend('b');
  const checks = checksOf(100, kind);
  const count = (objects: number) => [{ invariant: 'B1', mode: 'test', objects }];
  expect(checks.violations).toEqual(count(0));
  await pass(checks);
  const broken = { invariant: 'B1', context: 'library', mode: 'test', stream: 'book.test-a' };
  expect(errors()).toEqual([{ ...broken, says: 'it is stubborn' }]);
  expect(checks.violations).toEqual(count(1));
  expect(await pass(checks)).toEqual([['a'], ['a', 'b']]);
  expect(errors()).toEqual([]);

  const heir = checksOf(100, kind);
  await pass(heir);
  expect([errors(), heir.violations]).toEqual([[], count(1)]);

  const is_well: InvariantCheck = { ...kind, find: async () => [] };
  const mended = checksOf(0, is_well);
  await pass(mended);
  expect(mended.violations).toEqual(count(0));
  await pass(checks);
  expect(errors()).toHaveLength(1);
});

test('a check that fails ends no other; it alone is not told as looked at', async () => {
  await lend('a', true);
  const torn = ownInvariant({
    ...{ id: 'B2', says: 'It throws.', of: kind.of },
    fault: () => {
      throw new Error('torn');
    },
  });
  const checks = checksOf(100, torn, kind);
  wall_ms += HOUR_MS;
  await pass(checks);
  expect(checks.ages).toEqual([
    { invariant: 'B2', seconds: 3_600 },
    { invariant: 'B1', seconds: 0 },
  ]);
  expect(told.map(({ message }) => message)).toEqual([
    'an invariant could not be checked',
    'an invariant is broken',
  ]);
});

test('while a process leads it checks, and tells what it has found', async () => {
  await lend('a', true);
  const worker = new InvariantChecks(runtime, [library(kind)], { first_ms: 0, page_rest_ms: 0 });
  await worker.start();
  const value = async () => (await telemetry.read('tender_invariant_violations'))[0]?.value;
  while ((await value()) !== 1) await pause(10);
  const labels = { invariant: 'B1', context: 'library', mode: 'test' };
  expect(await telemetry.read('tender_invariant_violations')).toEqual([{ value: 1, labels }]);
  expect(telemetry.of('tender_invariant_checked_total')).toEqual([[labels, 1]]);
  await worker.stop();
  expect(await telemetry.read('tender_invariant_age_seconds')).toEqual([]);
});

test('a pass that is cut short goes on at the next start, and loses nothing', async () => {
  for (const id of ['a', 'b', 'c']) await lend(id);
  await pass(checksOf(0, kind));
  await remind('c', 0);
  const over = AbortSignal.abort();
  await expect(checksOf(3, kind).pass(over)).rejects.toThrow();
  expect(await pass(checksOf(0, kind))).toEqual([['c']]);
});
