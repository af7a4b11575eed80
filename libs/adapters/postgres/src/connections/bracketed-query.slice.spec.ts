import { Client } from 'pg';
import { ask } from './ask';
import type { Bracket } from './bracketed-query';
import { preparedStatement } from './prepared-statement';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
let connectionString: string;
let client: Client;
let other: Client;
/** How often Postgres said that it is ready for what comes next. */
let answers: number;

beforeAll(async () => {
  server = await startTestPostgres();
  connectionString = await server.database();
});
beforeEach(async () => {
  [client, other] = [new Client({ connectionString }), new Client({ connectionString })];
  await Promise.all([client.connect(), other.connect()]);
  await other.query('drop table if exists links, notes; create table notes (id int primary key)');
  answers = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('readyForQuery', () => (answers += 1));
});
afterEach(() => Promise.all([client.end(), other.end()]));
afterAll(() => server.stop());

const run = async (text: string, values: unknown[], bracket?: Bracket) =>
  (await ask(client, preparedStatement(text, values), bracket)).rows;
const INSERT = 'insert into notes values ($1) returning id';
const seenByOthers = async () => (await other.query('select id from notes order by id')).rows;

test('begin goes with the first statement and commit with the last, each in one answer', async () => {
  expect(await run(INSERT, [1], { begin: true })).toEqual([{ id: 1 }]);
  expect(answers).toBe(1);
  expect(await seenByOthers()).toEqual([]);
  expect(await run(INSERT, [2], { commit: true })).toEqual([{ id: 2 }]);
  expect(answers).toBe(2);
  expect(await seenByOthers()).toEqual([{ id: 1 }, { id: 2 }]);
});

test('a commit that is refused fails the statement that it goes with', async () => {
  await other.query('create table links (note int references notes deferrable initially deferred)');
  await run('insert into links values ($1)', [7], { begin: true });
  await expect(run(INSERT, [1], { commit: true })).rejects.toThrow(/foreign key/);
  expect(await seenByOthers()).toEqual([]);
  expect(await run('select 1 as one', [])).toEqual([{ one: 1 }]);
});

test('nothing is committed behind a statement that has failed', async () => {
  await run(INSERT, [1], { begin: true });
  await expect(run(INSERT, [1], { commit: true })).rejects.toThrow(/duplicate key/);
  await expect(run('select 1 as one', [])).rejects.toThrow(/aborted/);
  await client.query('rollback');
  expect(await seenByOthers()).toEqual([]);
});

test('nothing is committed behind a statement that cannot be sent', async () => {
  await run(INSERT, [1], { begin: true });
  const unsendable = {
    toPostgres() {
      throw new Error('no such text');
    },
  };
  await expect(run('select $1::text', [unsendable], { commit: true })).rejects.toThrow('no such text');
  await client.query('rollback');
  expect(await seenByOthers()).toEqual([]);
});

test('where it cannot begin, the statement is not run, and can be prepared the next time', async () => {
  await client.query('begin');
  await expect(client.query('select 1 / 0')).rejects.toThrow();
  const insert = `${INSERT}, 'prepared here first' as how`;
  await expect(run(insert, [1], { begin: true })).rejects.toThrow(/aborted/);
  await client.query('rollback');
  expect(await seenByOthers()).toEqual([]);
  expect(await run(insert, [2])).toHaveLength(1);
});

test('a statement that Postgres cannot parse fails as such each time', async () => {
  for (let time = 1; time <= 2; time += 1) {
    await expect(run('selekt $1', [1], { begin: true })).rejects.toThrow(/syntax/);
    await client.query('rollback');
  }
});
