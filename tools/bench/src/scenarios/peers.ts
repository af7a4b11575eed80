import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { freshDatabase } from '../fresh-database';
import { PEERS_CREATE_PAYMENT } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { isSigned, Sink } from '../load/sink';
import { withClient } from '../machine/postgres';
import { countEvents } from '../product/log-rows';
import { pointWebhook } from '../product/merchants';
import { request } from '../product/request';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';
import { shoot, sideOf } from './shot';

const TOLD_WITHIN_MS = 120_000;

/** POST /payments with its webhooks, against the same job as a usual team writes it with Nest (goal 2). */
export const peers: Scenario = {
  name: 'peers',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      { baseline: () => nestShop(bench), candidate: () => ours(bench) },
      ({ baseline, candidate }) =>
        [candidate, baseline]
          .map(({ figures: { rps, webhooks_per_s } }) => {
            return `${rps?.toFixed(0)} payments and ${webhooks_per_s?.toFixed(0)} webhooks a second`;
          })
          .join(' against '),
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'peers',
        params: { job: 'create-payment', connections: CONNECTIONS, sec: bench.flags.timed_ms / 1000 },
        baseline_name: 'nest-typeorm-outbox',
        compared: ['rps', 'webhooks_per_s', 'cpu'],
        goals: PEERS_CREATE_PAYMENT,
      }),
    ];
  },
};

async function ours(bench: Bench): Promise<FiguresSide> {
  const sink = await Sink.start(1);
  let before = 0;
  let secret = '';
  let told: Told = { webhooks_per_s: NaN, faults: [] };
  try {
    const made = await paymentsMade(bench, {
      name: 'peers',
      async requestFor(product) {
        const { api_key } = product.ready.demo;
        secret = await pointWebhook(product, `${sink.urls[0]}/hook`, api_key);
        before = await countEvents(product.server.connection_string, 'PaymentCreated');
        return paymentRequest(api_key);
      },
      async faultsOf({ server }) {
        const count = (await countEvents(server.connection_string, 'PaymentCreated')) - before;
        told = await toldOf(sink, count, secret);
        return told.faults;
      },
    });
    const { webhooks_per_s } = told;
    return { figures: { ...made.figures, webhooks_per_s }, faults: made.faults };
  } finally {
    await sink.stop();
  }
}

interface Shop {
  readonly url: string;
  readonly api_key: string;
  readonly webhook_secret: string;
}

const whereTo = (connection_string: string, sink: Sink) => ({
  BENCH_DATABASE: connection_string,
  BENCH_WEBHOOK: `${sink.urls[0]}/hook`,
});

async function nestShop(bench: Bench): Promise<FiguresSide> {
  const { settle_ms: warmup_ms, timed_ms } = bench.flags;
  const [sink, database] = await Promise.all([Sink.start(1), freshDatabase(bench, 'peers')]);
  const { connection_string } = database;
  const { postmaster } = await bench.server();
  const child = Child.start(path.join(__dirname, '../peers/nest-shop.js'), {
    env: { ...process.env, NODE_OPTIONS: '', ...whereTo(connection_string, sink) },
  });
  try {
    const shop = await child.message<Shop>();
    const wrong = await probeShop(shop);
    if (wrong.length > 0) return { figures: {}, faults: wrong };
    const before = await countShopPayments(connection_string);
    const target = { url: shop.url, request: paymentRequest(shop.api_key) };
    const spec = { ...target, connections: CONNECTIONS, warmup_ms, timed_ms };
    const shot = await shoot(bench.load, spec, { node: child.pid, postmaster }, connection_string);
    const stored = await countShopPayments(connection_string);
    const { accepted } = shot.load;
    const told = await toldOf(sink, stored, shop.webhook_secret);
    const { figures, faults } = sideOf(shot);
    const made = stored - before;
    const lost = made === accepted ? [] : [`${accepted} answers were 2xx, ${made} rows are stored`];
    return {
      figures: { ...figures, webhooks_per_s: told.webhooks_per_s },
      faults: [...faults, ...lost, ...told.faults],
    };
  } finally {
    await child.stop();
    await Promise.all([sink.stop(), database.drop()]);
  }
}

const countShopPayments = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM shop_payments');
    return Number(rows[0]?.count);
  });

/** What is wrong with the peer’s answers; it must do the job before its speed counts. */
async function probeShop({ url, api_key }: Shop): Promise<string[]> {
  const headers = { authorization: `Bearer ${api_key}`, 'idempotency-key': randomUUID() };
  const create = (body: object, more: Record<string, string> = headers) =>
    request(url, 'POST', '/api/v1/payments', body, more);
  const created = await create({ amount: 5 });
  const again = await create({ amount: 5 });
  const statuses = {
    'a payment': [created.status, 201],
    'the key with another body': [(await create({ amount: 6 })).status, 409],
    'a key that is not there': [(await create({ amount: 5 }, { authorization: 'Bearer x' })).status, 401],
    'a negative amount': [(await create({ amount: -1 })).status, 400],
  } as const;
  const wrong = Object.entries(statuses)
    .filter(([, [got, wanted]]) => got !== wanted)
    .map(([what, [got, wanted]]) => `the peer: ${what}: ${got} in place of ${wanted}`);
  const same = created.json.id !== undefined && created.json.id === again.json.id;
  return same ? wrong : [...wrong, 'the peer: a repeated key is not answered as the first was'];
}

interface Told {
  readonly webhooks_per_s: number;
  readonly faults: readonly string[];
}

/** How many webhooks came per second, from the first one to the last of `count`, and whether they are signed. */
async function toldOf(sink: Sink, count: number, secret: string): Promise<Told> {
  await sink.until(count, TOLD_WITHIN_MS);
  const { samples, first_at_ms, last_at_ms } = await sink.show();
  const unsigned = samples.filter((sample) => !isSigned(sample, secret));
  return {
    webhooks_per_s: (count * 1000) / (last_at_ms - first_at_ms),
    faults: unsigned.length === 0 ? [] : [`${unsigned.length} webhooks are badly signed`],
  };
}
