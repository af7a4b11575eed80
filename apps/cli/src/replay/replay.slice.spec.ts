import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beginGeneration, postgresReplayLog } from '@tender/adapter-postgres';
import { silentLog } from '@tender/adapter-postgres/testing';
import { categoriesOf, loadGeneration } from '@tender/eventing';
import { CONTEXTS, PROJECTIONS } from '../system';
import { CheckpointGate } from '../testing/checkpoint-gate';
import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();

const MAIN = path.resolve(__dirname, '../../dist/main.js');

/** The program in a process of its own, for a real kill. */
function spawnTender(...args: readonly string[]): ChildProcess {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: stage.database_url };
  return fork(MAIN, [...args], { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
}

const rowsOf = (table: string) =>
  stage.readModels.query(`select md5(string_agg(r::text, '|' order by id)) as rows, count(*)::int as count
    from ${table} r`);

describe('replay', () => {
  let gate: CheckpointGate | null = null;
  afterEach(async () => {
    await gate?.leave();
    gate = null;
  });

  /** Starts a replay, sends the signal in its second chunk; answers how it ended and its last line. */
  async function cutShort(signal: NodeJS.Signals, gate: CheckpointGate) {
    const child = spawnTender('ops', 'replay', 'payment-details');
    const ended = new Promise((resolve) =>
      child.once('close', (code, by) => resolve(code ?? by)),
    );
    let output = '';
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    await gate.reached(isOver);
    await gate.letOnePass();
    await gate.reached(isOver);
    child.kill(signal);
    // What was killed never ends its chunk; what was interrupted does, and begins no other.
    if (signal === 'SIGKILL') await ended;
    await gate.open();
    return { ended: await ended, last: output.trim().split('\n').at(-1) as string };
  }

  it('makes the rows that following makes, resumes after Ctrl-C and kill -9, and sends nothing', async () => {
    // Two chunks for the one that is interrupted, more than one for the one that is killed, and a rest.
    await stage.writeLog(27_000);
    gate = await CheckpointGate.before(stage.readModels, 'payments');
    const interrupted = await cutShort('SIGINT', gate);
    expect(interrupted.ended).toBe(130);
    expect(JSON.parse(interrupted.last)).toMatchObject({
      ...{ phase: 'interrupted', next: expect.stringMatching(/goes on/) },
    });
    await gate.close();
    expect((await cutShort('SIGKILL', gate)).ended).toBe('SIGKILL');
    const [begun] = await rowsOf('payments.payment_details_g2');
    expect(begun?.['count']).toBeGreaterThan(0);
    expect(await rowsOf('payments.payment_details')).toEqual([{ rows: null, count: 0 }]);

    await stage.replaysEnded();
    const resumed = await stage.tender('ops replay payment-details --yes');
    expect([resumed.code, resumed.complaints]).toEqual([0, []]);
    const last = JSON.parse(resumed.said.at(-1) as string);
    expect(last).toMatchObject({ phase: 'live', next: expect.stringMatching(/roll-back/) });
    // At least a chunk of each of the two that were cut short.
    expect(last.events).toBeLessThanOrEqual(81_000 - 2 * 25_000);
    expect((await rowsOf('payments.payment_details'))[0]).toMatchObject({ count: 27_000 });

    const rebuilt = await rowsOf('payments.payment_details_g2');
    await stage.followPayments();
    // The kept one had heard nothing; the service has brought it up to date, event by event.
    expect(await rowsOf('payments.payment_details_g1')).toEqual(rebuilt);
    for (const { schema: of } of CONTEXTS) {
      const consumers = await stage.readModels.query(
        `select follower from ${of}.checkpoints where follower not like '%@%'`,
      );
      expect(consumers).toEqual([]);
    }
    expect(await stage.readModels.query('select id from webhook_dispatcher.deliveries')).toEqual([]);
  });

  it('takes no more memory the longer it lasts', async () => {
    await stage.writeLog(34_000);
    const { schema, projection } = PROJECTIONS.find(({ projection: { name } }) =>
      name.startsWith('payments.payment-details'),
    )!;
    const { generation } = await beginGeneration(stage.readModels, { schema, projection }, 'a1');
    const log = postgresReplayLog({ connectionString: stage.database_url, log: silentLog });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap_mb: number[] = [];
    const loaded = await loadGeneration({
      ...{ log, readModels: stage.readModels, schema, projection, generation, mode: 'test', until: null },
      chunk_max: 10_000,
      onLoaded() {
        collect();
        heap_mb.push(process.memoryUsage().heapUsed / 2 ** 20);
      },
    });
    await log.close();
    expect(loaded).toBe(true);
    expect(heap_mb).toHaveLength(11);
    // The first chunks hold what every later one holds; a leak of its events would be 10 MB a chunk.
    expect(Math.max(...heap_mb.slice(3)) - Math.max(...heap_mb.slice(0, 3))).toBeLessThan(20);
  });

  it('says what it would do and does nothing', async () => {
    await stage.writeLog(10);
    const { code, said } = await stage.tender('ops replay payment-details --dry-run');
    expect(code).toBe(0);
    expect(JSON.parse(said[0] as string)).toMatchObject({
      ...{ dry_run: true, events_total: 30, resumes: false },
      ...{ live_table: 'payments.payment_details_g1', new_table: 'payments.payment_details_g2' },
      records_left_alone: [],
    });
    expect(await stage.readModels.query('select * from payments.generations where generation > 1')).toEqual([]);
  });

  it.each([
    ['webhook-dispatcher.deliveries', /is a record/],
    ['attempts', /is a record/],
    ['checkpoints', /There is no projection "checkpoints"/],
    ['leases', /There is no projection "leases"/],
  ])('refuses %s', async (name, sentence) => {
    const { code, complaints } = await stage.tender(`ops replay ${name}`);
    expect([code, complaints[0]]).toEqual([1, expect.stringMatching(sentence)]);
  });

  it('has no earlier table at first, and says which tables there are', async () => {
    const { code, complaints } = await stage.tender('ops replay receipts --to roll-back');
    expect([code, complaints[0]]).toEqual([1, expect.stringMatching(/its generations are 1 \(live\)/)]);
  });

  it('knows every projection by a name of its own, of streams of its own context', () => {
    const names = PROJECTIONS.map(({ projection }) => projection.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { schema, projection } of PROJECTIONS) {
      expect(projection.table.startsWith(`${schema}.`)).toBe(true);
      const categories = projection.modes.flatMap((mode) => categoriesOf(projection, mode));
      expect(categories).not.toEqual([]);
    }
  });
});
