import { Client } from 'pg';
import type { Lease, Leases } from '@tender/eventing';
import { postgresLeases, postgresReadModels, type PostgresReadModels } from '../index';
import { TestProcess } from '../testing/child-process';
import { silentLog } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';
import { undisturbed } from '../testing/undisturbed';

const SCHEMA = 'notes';

let server: TestPostgres;
let url: string;
let readModels: PostgresReadModels;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(beginAnew);
afterEach(endAll);

async function beginAnew(): Promise<void> {
  await endAll();
  url = await server.database();
  readModels = postgresReadModels({
    ...{ connectionString: url, schemas: [SCHEMA], migrations: [], log: silentLog, pool_max: 2 },
  });
  await readModels.start();
  open.push(readModels);
}

async function endAll(): Promise<void> {
  for (const part of open.splice(0).reverse()) await part.close();
}

const keepingUp = (attempt: () => Promise<void>): Promise<void> =>
  undisturbed(url, async () => {
    await beginAnew();
    await attempt();
  });

function leases(): Leases {
  const made = postgresLeases({ connectionString: url, schema: SCHEMA, log: silentLog });
  open.push(made);
  return made;
}

/** Leads `followers`, and writes down when its work begins and ends. */
function standBy(name: string, diary: string[]): Lease {
  return leases().lead('followers', () => {
    diary.push(`${name} begins`);
    const stop = () => Promise.resolve(void diary.push(`${name} ends`));
    return Promise.resolve({ stop });
  });
}

function leadingProcess(): TestProcess {
  const child = new TestProcess('lease-process.ts', { url, schema: SCHEMA, name: 'followers' });
  open.push({ close: () => child.kill() });
  return child;
}

async function untilLost(lease: Lease): Promise<void> {
  while (lease.leads()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('leases', () => {
  it('are held by one at a time, and pass on at once when given back', () =>
    keepingUp(async () => {
      const diary: string[] = [];
      const first = standBy('first', diary);
      await first.whenLeading();
      const second = standBy('second', diary);
      const third = standBy('third', diary);
      const other = leases().lead('something-else', () =>
        Promise.resolve({ stop: () => Promise.resolve() }),
      );
      await other.whenLeading();
      expect([first.leads(), second.leads(), third.leads()]).toEqual([true, false, false]);
      await first.stop();
      expect(first.leads()).toBe(false);
      const heir = await Promise.race([
        second.whenLeading().then(() => second),
        third.whenLeading().then(() => third),
      ]);
      const name = heir === second ? 'second' : 'third';
      expect(diary).toEqual(['first begins', 'first ends', `${name} begins`]);
      await Promise.all([second.stop(), third.stop()]);
      const counts = diary.map((line) => (line.endsWith('begins') ? 1 : -1));
      expect(counts.every((count, index) => count === (index % 2 === 0 ? 1 : -1))).toBe(true);
    }));

  it('are tried again when the work could not start', async () => {
    let tries = 0;
    const lease = leases().lead('followers', () => {
      tries += 1;
      if (tries === 1) return Promise.reject(new Error('meant'));
      return Promise.resolve({ stop: () => Promise.resolve() });
    });
    await lease.whenLeading();
    expect(tries).toBe(2);
  });

  it('are given back by work that has to begin anew, and then had again', async () => {
    const diary: string[] = [];
    const overs: AbortSignal[] = [];
    const lease = leases().lead('followers', (over) => {
      overs.push(over);
      diary.push('begins');
      return Promise.resolve({ stop: () => Promise.resolve(void diary.push('ends')) });
    });
    await lease.whenLeading();
    lease.renounce();
    await untilLost(lease);
    await lease.whenLeading();
    expect(diary).toEqual(['begins', 'ends', 'begins']);
    expect(overs.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('pass on when their holder is killed', async () => {
    const holder = leadingProcess();
    await holder.says('leading');
    const heir = standBy('heir', []);
    expect(heir.leads()).toBe(false);
    await holder.kill();
    await heir.whenLeading();
  });

  it('pass on at once when their holder ends in order', async () => {
    const holder = leadingProcess();
    await holder.says('leading');
    const heir = standBy('heir', []);
    await holder.end();
    await heir.whenLeading();
    expect(holder.messages.at(-1)).toBe('stopped');
  });

  it('fence a holder that slept through the end of its lease, until it leads again', async () => {
    const sleeper = leadingProcess();
    await sleeper.says('moved');
    sleeper.sleep();
    const heir = standBy('heir', []);
    await heir.whenLeading();
    const slept_from = await readModels.checkpoint(SCHEMA, 'followers');
    const heard = sleeper.messages.length;
    sleeper.resume();
    await sleeper.says('stopped', heard);
    expect(await readModels.checkpoint(SCHEMA, 'followers')).toBe(slept_from);

    const stopped = sleeper.messages.length;
    await heir.stop();
    await sleeper.says('moved', stopped);
    const late = readModels.transaction((tx) =>
      readModels.saveCheckpoint(tx, SCHEMA, 'followers', '1'),
    );
    await expect(late).rejects.toThrow('another process follows');
  });

  it('outlast a cut connection, end with a long outage, and are taken again after it', () =>
    keepingUp(async () => {
      const diary: string[] = [];
      const lease = standBy('holder', diary);
      await lease.whenLeading();
      const database = new URL(url).pathname.slice(1);
      const admin = new Client({ connectionString: url.replace(database, 'postgres') });
      await admin.connect();
      open.push({ close: () => admin.end() });
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`;
      const until_of = async (): Promise<Date> => {
        const text = `select until from ${SCHEMA}.leases`;
        // The pool learns of a cut connection by using it.
        const rows = await readModels.query<{ until: Date }>(text).catch(() => null);
        return rows ? (rows[0] as { until: Date }).until : until_of();
      };
      const before = await until_of();
      await admin.query(cut);
      while ((await until_of()) <= before) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(lease.leads()).toBe(true);

      await admin.query(`alter database ${database} allow_connections false`);
      await admin.query(cut);
      await untilLost(lease);
      await admin.query(`alter database ${database} allow_connections true`);
      await lease.whenLeading();
      expect(diary).toEqual(['holder begins', 'holder ends', 'holder begins']);
    }));
});
