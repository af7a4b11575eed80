import { postgresReadModels, type PostgresReadModels } from '../index';
import { silentLog } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';
import { LogIsElsewhere, refuseOtherLog } from './log-place';

let server: TestPostgres;
let tables: PostgresReadModels;
beforeAll(async () => {
  server = await startTestPostgres();
});
beforeEach(async () => {
  const schemas = ['speakers', 'readers'];
  tables = postgresReadModels({
    ...{ connectionString: await server.database(), schemas, migrations: [], log: silentLog },
  });
  await tables.start();
});
afterEach(() => tables.close());
afterAll(() => server.stop());

/** In the schema of a service that hears something; the other service hears nothing. */
const heard = (follower: string) =>
  tables.query('insert into readers.checkpoints (follower, epoch, owner) values ($1, 1, $2)', [
    ...[follower, ''],
  ]);
const logOf = (one: 'event' | null) =>
  tables.query(
    `create schema log; create table log.events (position bigint);
      ${one ? 'insert into log.events values (1)' : ''}`,
  );

test('a database that no program has used takes every run', async () => {
  for (const run of ['alone', 'postgres', 'eventstore'] as const) await refuseOtherLog(tables, run);
});

test.each(['postgres', 'eventstore'] as const)(
  'what one process used alone is handed over first, whichever service looks (%s)',
  async (run) => {
    await logOf('event');
    await heard('readers.count-notes:test');
    const refused = refuseOtherLog(tables, run);
    await expect(refused).rejects.toThrow(LogIsElsewhere);
    await expect(refused).rejects.toThrow('"tender ops migrate-log" hands its log over first');
    await refuseOtherLog(tables, 'alone');
  },
);

test('one process that has written nothing leaves nothing to hand over', async () => {
  await logOf(null);
  await heard('readers.count-notes:test');
  for (const run of ['alone', 'postgres', 'eventstore'] as const) await refuseOtherLog(tables, run);
});

test('what services used is not for one process, nor their log for another store', async () => {
  await logOf('event');
  await heard('readers.count-notes:test:notes/0');
  await expect(refuseOtherLog(tables, 'alone')).rejects.toThrow('services run on this database');
  await expect(refuseOtherLog(tables, 'eventstore')).rejects.toThrow('unset EVENTSTORE_URL');
  await refuseOtherLog(tables, 'postgres');
});

test('what has read a log that is elsewhere is not started over an empty one', async () => {
  await logOf(null);
  await heard('relay.notes:test');
  await refuseOtherLog(tables, 'postgres');
  await tables.query("update readers.checkpoints set position = '4711/4711'");
  await expect(refuseOtherLog(tables, 'postgres')).rejects.toThrow('set EVENTSTORE_URL to it');
  await refuseOtherLog(tables, 'eventstore');
});

test('tables of another program in the same database say nothing', async () => {
  await tables.query('create schema "Others"; create table "Others".checkpoints (follower text)');
  await tables.query(`insert into "Others".checkpoints values ('readers.count-notes:test')`);
  await refuseOtherLog(tables, 'eventstore');
  await tables.query('create schema theirs; create table theirs.checkpoints (follower text, position int)');
  await tables.query(`insert into theirs.checkpoints values ('readers.count-notes:test', 7)`);
  await refuseOtherLog(tables, 'postgres');
});
