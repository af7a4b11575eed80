import {
  eraseSubjectKey,
  keyRingTables,
  postgresReadModels,
  postgresSubjectKeys,
  type PostgresReadModels,
} from '../index';
import { silentLog } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
let readModels: PostgresReadModels;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { schema, migrations } = keyRingTables;
  readModels = postgresReadModels({
    ...{ connectionString: await server.database(), schemas: [schema], migrations },
    ...{ log: silentLog, pool_max: 8 },
  });
  await readModels.start();
});
afterEach(() => readModels.close());

/** As a process has it, with the statements that it sends. */
function process() {
  const sent: string[] = [];
  const keys = postgresSubjectKeys({
    query<Row>(text: string, values?: readonly unknown[]) {
      sent.push(text);
      return readModels.query<Row>(text, values);
    },
  });
  return { ...keys, sent };
}

const SUBJECTS = Array.from({ length: 40 }, (_, index) => `cus_${index}`);

test('what is kept in one turn is one statement, and so is what is looked for', async () => {
  const keys = process();
  const kept = await Promise.all(SUBJECTS.map((id) => keys.keep(id, `key of ${id}`)));
  expect(kept).toEqual(SUBJECTS.map((id) => `key of ${id}`));
  const found = await Promise.all([...SUBJECTS, 'cus_none'].map((id) => keys.load(id)));
  expect(found).toEqual([...kept, null]);
  expect(keys.sent).toHaveLength(2);
});

test('the first key stays: in one turn, and beside keys that are new', async () => {
  const keys = process();
  const [first, second] = await Promise.all([keys.keep('cus_1', 'a'), keys.keep('cus_1', 'b')]);
  expect([first, second]).toEqual(['a', 'a']);
  const later = await Promise.all([keys.keep('cus_1', 'c'), keys.keep('cus_2', 'd')]);
  expect(later).toEqual(['a', 'd']);
});

test('processes that keep keys for the same subjects at once, in any order, agree on each', async () => {
  const back = SUBJECTS.toReversed();
  const shuffled = [SUBJECTS, back, SUBJECTS.toSorted(), SUBJECTS.toSpliced(0, 20)];
  const answers = await Promise.all(
    shuffled.map((ids, at) => {
      const keys = process();
      return Promise.all(ids.map(async (id) => [id, await keys.keep(id, `${at} ${id}`)] as const));
    }),
  );
  const stored = Object.fromEntries(
    (
      await readModels.query<{ subject_id: string; wrapped: string }>(
        'select subject_id, wrapped from keyring.subject_keys',
      )
    ).map(({ subject_id, wrapped }) => [subject_id, wrapped]),
  );
  expect(Object.keys(stored)).toHaveLength(SUBJECTS.length);
  for (const [id, kept] of answers.flat()) expect([id, kept]).toEqual([id, stored[id]]);
});

test('a subject that was erased and comes back has another key', async () => {
  const keys = process();
  await keys.keep('cus_1', 'a');
  expect(await eraseSubjectKey(readModels, 'cus_1')).toBe(true);
  expect(await keys.load('cus_1')).toBeNull();
  expect(await keys.keep('cus_1', 'b')).toBe('b');
});

test('statements that fail answer none of their keys, and the next one is sent again', async () => {
  const failing = [new Error('away')];
  const keys = postgresSubjectKeys({
    query: async <Row>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
      const error = failing.pop();
      if (error) throw error;
      return readModels.query<Row>(text, values);
    },
  });
  const both = await Promise.allSettled([keys.keep('cus_1', 'a'), keys.keep('cus_2', 'b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await keys.keep('cus_1', 'c')).toBe('c');
});
