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

/** The EventStoreDB of the run. */
const store = {
  newest: () => Promise.resolve(newest),
  isBefore: (one: string, other: string) => Number(one) < Number(other),
};
let newest: string | null;
beforeEach(() => (newest = null));
const acceptEveryRun = async () => {
  for (const run of ['alone', 'postgres', 'eventstore'] as const) await refuseOtherLog(tables, run, store);
};

test('a database that no program has used takes every run', async () => {
  await acceptEveryRun();
});

test.each(['postgres', 'eventstore'] as const)(
  'what one process used alone is handed over first, whichever service looks (%s)',
  async (run) => {
    await logOf('event');
    await heard('readers.count-notes:test');
    const refused = refuseOtherLog(tables, run, store);
    await expect(refused).rejects.toThrow(LogIsElsewhere);
    await expect(refused).rejects.toThrow('"tender ops migrate-log" hands its log over first');
    await refuseOtherLog(tables, 'alone', store);
  },
);

test('one process that has written nothing leaves nothing to hand over', async () => {
  await logOf(null);
  await heard('readers.count-notes:test');
  await acceptEveryRun();
});

test('what services used is not for one process, nor their log for another store', async () => {
  await logOf('event');
  await heard('readers.count-notes:test:notes/0');
  await expect(refuseOtherLog(tables, 'alone', store)).rejects.toThrow('services run on this database');
  await expect(refuseOtherLog(tables, 'eventstore', store)).rejects.toThrow('unset EVENTSTORE_URL');
  await refuseOtherLog(tables, 'postgres', store);
});

test('what has read a log that is elsewhere is not started over an empty one', async () => {
  await logOf(null);
  await heard('relay.notes:test');
  await refuseOtherLog(tables, 'postgres', store);
  await tables.query("update readers.checkpoints set position = '4711'");
  await expect(refuseOtherLog(tables, 'postgres', store)).rejects.toThrow('set EVENTSTORE_URL to it');
  await expect(refuseOtherLog(tables, 'eventstore', store)).rejects.toThrow('set EVENTSTORE_URL to the one');
  // What a real server writes for itself.
  newest = '200';
  await expect(refuseOtherLog(tables, 'eventstore', store)).rejects.toThrow('begin on an empty database');
  newest = '4711';
  await refuseOtherLog(tables, 'eventstore', store);
});

test('what was moved to an EventStoreDB is not started over one that is empty', async () => {
  await logOf('event');
  await heard('readers.count-notes:test:notes/0');
  await tables.query("update readers.checkpoints set position = '4711'");
  await tables.query(
    `create schema migrate_log; create table migrate_log.done (what text);
      insert into migrate_log.done values ('positions')`,
  );
  await expect(refuseOtherLog(tables, 'eventstore', store)).rejects.toThrow('set EVENTSTORE_URL to the one');
  newest = '4711';
  await refuseOtherLog(tables, 'eventstore', store);
});

test('tables of another program in the same database say nothing', async () => {
  await tables.query('create schema "Others"; create table "Others".checkpoints (follower text)');
  await tables.query(`insert into "Others".checkpoints values ('readers.count-notes:test')`);
  await refuseOtherLog(tables, 'eventstore', store);
  await tables.query('create schema theirs; create table theirs.checkpoints (follower text, position int)');
  await tables.query(`insert into theirs.checkpoints values ('readers.count-notes:test', 7)`);
  await refuseOtherLog(tables, 'postgres', store);
});
