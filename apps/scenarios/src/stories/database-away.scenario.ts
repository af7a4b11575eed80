/**
 * @landing embedded
 * @runs embedded
 * @program own
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, startPostgres, type RunningPostgres } from '@tender/adapter-postgres-server';
import { silentLog } from '@tender/adapter-memory';
import { expectAskAgain } from './ask-again';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { Trade } from '../harness/trade';

describe('the server that DATABASE_URL names', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tender database '));
  let port: number;
  let postgres: RunningPostgres;
  let trade: Trade;
  const start = async () => (postgres = await startPostgres({ dataDir, log: silentLog, port }));
  beforeAll(async () => {
    port = await freePort();
    const { connectionString } = await start();
    trade = await Trade.begin(await Program.start({ DATABASE_URL: connectionString }));
  });
  afterAll(async () => {
    await trade.end();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test.each(['pause', 'stop', 'kill'] as const)(
    'goes away (%s) under load: clients are asked to come again, and all goes on when it is back',
    async (how) => {
      const load = trade.load(how);
      await load.served(3);
      if (how === 'pause') postgres.signal('SIGSTOP');
      else await postgres[how]();
      try {
        const api = trade.merchant.api.once();
        const ready = async () => (await api.get('/readyz')).status;
        await eventually(ready, (status) => status === 503);

        const order = { key: `away-${how}`, amount: 3, answer: null };
        trade.history.orders.push(order);
        const headers = { 'idempotency-key': order.key };
        expectAskAgain(await api.post('/api/v1/payments', { amount: order.amount }, headers));
        for (const page of ['/healthz', '/openapi.json']) {
          expect([page, (await api.get(page)).status]).toEqual([page, 200]);
        }
      } finally {
        // Whatever failed, the tests that follow have a database.
        if (how === 'pause') postgres.signal('SIGCONT');
        else await start();
      }
      await trade.recovers(load);
    },
  );
});

test('the server in the data folder is killed under load: the program starts it again and goes on', async () => {
  const trade = await Trade.begin(await Program.start());
  const { data_dir } = trade.program;
  try {
    const load = trade.load('own');
    await load.served(3);
    const pidOf = () =>
      Number(readFileSync(path.join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const pid = pidOf();
    const { length: before } = load.outcomes;
    process.kill(pid, 'SIGKILL');
    const since = async () => load.outcomes.slice(before);
    await eventually(since, (outcomes) => outcomes.some((outcome) => outcome !== 200));
    await trade.recovers(load);
    expect(pidOf()).not.toBe(pid);
  } finally {
    await trade.end();
  }
});
