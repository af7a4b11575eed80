import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresEventStore } from '@tender/adapter-postgres';
import { silentLog, systemClock } from '@tender/adapter-postgres/testing';
import { leaveRunning } from '../testing/data-folder';
import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'systems-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function runsOn(name: string, port: number): string {
  const data_dir = path.join(folder, name);
  leaveRunning(data_dir, port);
  return data_dir;
}

const top = async (settings: NodeJS.ProcessEnv = {}, line = 'ops projections') => {
  const { top: said, complaints } = await stage.tender(line, [], { DATA_DIR: folder, ...settings });
  return { said, complaints, facts: stage.answer === null ? JSON.parse(said[0] as string) : {} };
};

it('names the system at the top of each command, without its password', async () => {
  const url = new URL(stage.database_url);
  url.password = 's3cret';
  const { port, pathname, username } = url;
  for (const line of ['ops projections', 'ops parked', 'ops replay receipts --dry-run']) {
    const { facts, said } = await top({ DATABASE_URL: url.href }, line);
    expect(facts).toMatchObject({
      ...{ line: 'system', run: null, processes: 0, eventstore: null, database_from: 'DATABASE_URL' },
      database: expect.stringMatching(new RegExp(`^postgres://${username}@.*:${port}${pathname}$`)),
      ...{ migrations_missing: 0, migrations_unknown: 0, release: expect.stringMatching(/^\d+\./) },
    });
    expect(facts.warnings.filter((warning: string) => warning.includes(folder))).toEqual([]);
    expect(said.join()).not.toContain('s3cret');
  }
  stage.answer = 'a person';
  expect((await top()).said).toEqual([
    'System:   not known yet whether one process or services, not running',
    expect.stringMatching(/^Database: postgres:.*, as DATABASE_URL says$/),
    'Log:      in the same database',
    expect.stringMatching(/^Release: {2}\d.*; g1 of \d+ projections$/),
    '',
  ]);
});

it('knows one process by the log that it holds, and shows the tables that are not the first', async () => {
  const store = postgresEventStore({
    ...{ connectionString: stage.database_url, clock: systemClock, log: silentLog },
  });
  await store.start();
  try {
    expect((await stage.tender('ops replay receipts')).code).toBe(3);
    const { facts } = await top();
    expect(facts.run).toBe('one process');
    expect(facts.projections).toContainEqual({
      ...{ projection: 'payments.receipts@1', live: 1 },
      others: [{ generation: 2, state: 'building' }],
    });
    expect((await stage.tender('ops replay receipts --yes')).code).toBe(0);
    expect((await stage.tender('ops replay flags')).code).toBe(3);
    stage.answer = 'a person';
    expect((await top()).said[3]).toMatch(/; g1 of \d+ projections, g2 of 1; 1 kept beside them; fraud.flags@1 g2 building$/);
  } finally {
    await store.close();
  }
});

it('warns of a system that runs beside the one that it was pointed at, and says how to look at that one', async () => {
  const beside = runsOn('distributed', 1);
  const { facts } = await top();
  expect(facts.neighbours).toContainEqual({ data_dir: beside, pid: null });
  expect(facts.warnings).toContainEqual(expect.stringContaining(`unset DATABASE_URL and set DATA_DIR=${beside}`));
  stage.answer = 'a person';
  expect((await top()).complaints.join()).toContain(beside);
  // The same server by another way is no other system.
  runsOn('distributed', Number(new URL(stage.database_url).port));
  stage.answer = null;
  const { neighbours } = (await top()).facts;
  expect(neighbours.map(({ data_dir }: { data_dir: string }) => data_dir)).not.toContain(beside);
});

it('knows the system on the folder around the one that it was pointed at, and those beside it', async () => {
  const around = runsOn('.', 1);
  const beside = runsOn('other', 2);
  const services = runsOn('other/distributed', 3);
  writeFileSync(path.join(folder, 'a-file'), '');
  const { facts } = await top({ DATA_DIR: path.join(folder, 'distributed') });
  for (const data_dir of [around, beside, services]) {
    expect(facts.neighbours).toContainEqual({ data_dir, pid: null });
  }
});

it('warns of tables of another release, and makes no table from a log that is not theirs', async () => {
  const { readModels } = stage;
  await readModels.query(`delete from tender_migrations where name like 'CreatePlans%'`);
  await readModels.query(`insert into tender_migrations (timestamp, name) values (1, 'OfTomorrow1')`);
  await readModels.query(
    `insert into payments.checkpoints (follower, position, epoch, owner) values ('payments.confirm:test', '7', 1, '')`,
  );
  const { facts } = await top();
  expect(facts).toMatchObject({ migrations_missing: 1, migrations_unknown: 1 });
  expect(facts.warnings.join()).toMatch(/older release.*newer release/s);
  expect(facts.warnings.join()).toContain('set EVENTSTORE_URL');
  const { code, complaints } = await stage.tender('ops replay receipts --yes');
  expect(code).toBe(1);
  expect(complaints[0]).toMatch(/^tender: No table is made from this log: .*EVENTSTORE_URL/);
});
