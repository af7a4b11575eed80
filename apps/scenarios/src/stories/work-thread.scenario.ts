/**
 * @landing embedded
 * @program own
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { EMBEDDED_MAIN, Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { Trade } from '../harness/trade';

// Followers, reactors and workers run in a second thread, unless WORK_THREAD=false leaves them in that of the requests.
const METRICS_PORT = '0';

describe('with the work in the thread of the requests', () => {
  let program: Program;
  let receiver: Receiver;
  let merchant: Merchant;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tender-loaded-'));

  beforeAll(async () => {
    [program, receiver] = await Promise.all([
      Program.start({ WORK_THREAD: 'false', METRICS_PORT, NODE_OPTIONS: tellingWhatItLoads(folder) }),
      Receiver.start(),
    ]);
    merchant = await newMerchant(program, { webhook_url: receiver.url });
  });
  afterAll(async () => {
    await receiver.close();
    await program.discard();
    rmSync(folder, { recursive: true });
  });

  const told = (type: string, id: string) =>
    receiver.events(type).filter(({ json }) => json.payment.id === id);

  test('a transfer confirms the payment, and the merchant is told', async () => {
    const { json } = await merchant.api.post('/api/v1/payments', { amount: 7 });
    await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: json.id });
    await eventually(
      async () => told('PaymentConfirmed', json.id).length,
      (times) => times >= 1,
    );
    const payment = await merchant.api.get(`/api/v1/payments/${json.id}`);
    expect(payment.json.status).toBe('confirmed');
  });

  test('a move of the clock is over once the work is at rest', async () => {
    const { json } = await merchant.api.post('/api/v1/payments', { amount: 7 });
    const moved = await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: 1_000 });
    expect(moved.status).toBe(200);
    expect(told('PaymentExpired', json.id)).toHaveLength(1);
  });

  test('its metrics are those of the program', async () => {
    const metrics = await metricsOf(program);
    expect(metrics).toEqual([expect.stringContaining('tender-embedded"')]);
  });

  test('it loads nothing but its bundle: a package from elsewhere would be a second copy, with error classes of its own', async () => {
    await program.stop();
    const loaded = readFileSync(path.join(folder, LOADED), 'utf8').split('\n');
    expect(loaded).toContain(EMBEDDED_MAIN);
    const bundles = `${path.dirname(EMBEDDED_MAIN)}${path.sep}`;
    const own = [bundles, folder];
    const elsewhere = loaded.filter((file) => !own.some((place) => file.startsWith(place)));
    expect(elsewhere.filter((file) => file.endsWith('js'))).toEqual([]);
  });
});

const LOADED = 'loaded.txt';

/** NODE_OPTIONS of a program that leaves the paths of its modules in `folder` when it ends. */
function tellingWhatItLoads(folder: string): string {
  const tells = path.join(folder, 'tells.js');
  const text = `
    if (process.argv[1] === ${JSON.stringify(EMBEDDED_MAIN)}) process.on('exit', () => {
      const loaded = Object.keys(require.cache).join('\\n');
      require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, LOADED))}, loaded);
    });`;
  writeFileSync(tells, text);
  return `--require ${tells}`;
}

describe('with the work in a thread of its own', () => {
  let trade: Trade;

  beforeAll(async () => {
    trade = await Trade.begin(await Program.start({ METRICS_PORT }, {}));
  });
  afterAll(() => trade.end());

  test('each thread has its metrics', async () => {
    const [requests, work] = await metricsOf(trade.program);
    expect(requests).toContain('tender-embedded"');
    expect(work).toContain('tender-embedded-work"');
  });

  test.each([
    ['that of the work, once a confirmation is in the log', 'append.after@PaymentConfirmed'],
    ['that of the work, before a checkpoint', 'checkpoint.before:3'],
    ['that of the requests, once an order is in the log', 'append.after@PaymentCreated'],
  ])('a death in either ends the program, and neither loses nor doubles anything: %s', async (_, fault) => {
    await trade.program.strike(['tender'], fault);
    await trade.orderUntilDeath(fault);
    await trade.survivesDeath();
  });
});

const metricsOf = ({ running }: Program): Promise<readonly string[]> =>
  Promise.all(
    running.metrics_ports.map(async (port) => (await request(`http://127.0.0.1:${port}/metrics`)).body.text()),
  );
