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

/** As a process has them, with the statements that it sends. */
function keysOfProcess() {
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
  const keys = keysOfProcess();
  const kept = await Promise.all(SUBJECTS.map((id) => keys.keep(id, `key of ${id}`)));
  expect(kept).toEqual(SUBJECTS.map((id) => `key of ${id}`));
  const found = await Promise.all([...SUBJECTS, 'cus_none'].map((id) => keys.load(id)));
  expect(found).toEqual([...kept, null]);
  expect(keys.sent).toHaveLength(2);
});

test('the first key stays: in one turn, and beside keys that are new', async () => {
  const keys = keysOfProcess();
  const [first, second] = await Promise.all([keys.keep('cus_1', 'a'), keys.keep('cus_1', 'b')]);
  expect([first, second]).toEqual(['a', 'a']);
  const later = await Promise.all([keys.keep('cus_1', 'c'), keys.keep('cus_2', 'd')]);
  expect(later).toEqual(['a', 'd']);
});

/** How many connections wait for another one's row. */
async function waiting(): Promise<number> {
  const [row] = await readModels.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

async function untilWaiting(count: number): Promise<void> {
  while ((await waiting()) < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('processes that keep keys for the same subjects at once, in any order, agree on each', async () => {
  const asked = [SUBJECTS, SUBJECTS.toReversed()];
  let answers: readonly Promise<string[]>[] = [];
  await readModels.transaction(async (tx) => {
    await tx.query(`insert into keyring.subject_keys values ('cus_20', 'held')`);
    answers = asked.map((ids, at) => {
      const keys = keysOfProcess();
      return Promise.all(ids.map((id) => keys.keep(id, `${at} ${id}`)));
    });
    await untilWaiting(asked.length);
  });
  const [first, second] = await Promise.all(answers);
  expect(second?.toReversed()).toEqual(first);
  expect(first?.[20]).toBe('held');
  const keys = keysOfProcess();
  expect(await Promise.all(SUBJECTS.map((id) => keys.load(id)))).toEqual(first);
});

test('a key that another process did not commit is none', async () => {
  const rolled = new Error('rolled back');
  let kept: Promise<string> | undefined;
  const failed = readModels.transaction(async (tx) => {
    await tx.query(`insert into keyring.subject_keys values ('cus_1', 'lost')`);
    kept = keysOfProcess().keep('cus_1', 'own');
    await untilWaiting(1);
    throw rolled;
  });
  await expect(failed).rejects.toBe(rolled);
  expect(await kept).toBe('own');
  expect(await keysOfProcess().load('cus_1')).toBe('own');
});

test('a subject that was erased and comes back has another key', async () => {
  const keys = keysOfProcess();
  await keys.keep('cus_1', 'a');
  expect(await eraseSubjectKey(readModels, 'cus_1')).toBe(true);
  expect(await keys.load('cus_1')).toBeNull();
  expect(await keys.keep('cus_1', 'b')).toBe('b');
});

test('a statement that fails answers none of its keys, and the next key is kept with its own value', async () => {
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
