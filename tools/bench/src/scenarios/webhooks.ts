import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { WEBHOOKS } from '../goals';
import { isSigned, Sink } from '../load/sink';
import { meterCpu } from '../machine/cpu-meter';
import { inParallel, merchantWithWebhook, type Merchant } from '../product/merchants';
import { Product } from '../product/product';
import { eventually } from '../product/request';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';

// The program keeps four attempts per endpoint under way: 64 in all, as many as the bare loop.
const MERCHANTS = 16;
const IN_FLIGHT = 64;
const DELIVERIES = { full: 16_000, quick: 4_000 };
/** An attempt ends after 15 s: what is held must be let go before. */
const PLANNED_WITHIN_MS = 12_000;
/** Sent by either side before it is timed: what is compiled while it runs is compiled by then. */
const WARM = { full: 8_000, quick: 2_000 };

/**
 * A backlog of due deliveries, worked off: claimed, signed, sent, recorded; against the same posts
 * by a bare loop (goal 9). The sink holds its answers until the whole backlog is planned.
 */
export const webhooks: Scenario = {
  name: 'webhooks',
  async run(bench) {
    const size = bench.flags.quick ? 'quick' : 'full';
    const [count, warm] = [DELIVERIES[size], WARM[size]];
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      { baseline: () => bareLoop(count, warm), candidate: () => backlog(bench, count, warm) },
      ({ baseline, candidate }) =>
        [candidate, baseline].map(({ figures }) => figures['per_s']?.toFixed(0)).join('/') + ' per s',
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'webhooks',
        params: { deliveries: count, origins: MERCHANTS, warm },
        baseline_name: 'undici-loop',
        compared: ['per_s'],
        goals: WEBHOOKS,
      }),
    ];
  },
};

async function bareLoop(count: number, warm: number): Promise<FiguresSide> {
  const sink = await Sink.start(MERCHANTS);
  const child = Child.start(path.join(__dirname, '../baselines/post-loop.js'));
  try {
    const body = JSON.stringify({ event: 'PaymentCreated', filler: 'x'.repeat(1_400) });
    const order = { urls: sink.urls, in_flight: IN_FLIGHT, body };
    await child.ask({ ...order, count: warm });
    const { per_s } = await child.ask<{ per_s: number }>({ ...order, count });
    return { figures: { per_s }, faults: [] };
  } finally {
    await child.stop();
    await sink.stop();
  }
}

async function backlog(bench: Bench, count: number, warm: number): Promise<FiguresSide> {
  const sink = await Sink.start(MERCHANTS);
  const product = await Product.start({
    data_dir: bench.folder('webhooks'),
    profile: bench.flags.profile,
  });
  try {
    const merchants = await Promise.all(
      sink.urls.map((url) => merchantWithWebhook(product, `${url}/hook`)),
    );
    await createFor(product, merchants, warm);
    await sink.until(warm);

    const { answered } = await sink.hold();
    await createFor(product, merchants, count);
    await planned(product, merchants, answered + count);
    const cpu = meterCpu(product.metered);
    const began = performance.now();
    await sink.until(answered + count);
    const elapsed_s = (performance.now() - began) / 1000;
    const { node_s, pg_s } = cpu();
    const per_s = count / elapsed_s;
    const figures = { per_s, node_us: (node_s * 1e6) / count, pg_us: (pg_s * 1e6) / count };
    const faults = [await badlySigned(sink, merchants), await lost(product, merchants)].flat();
    return { figures, faults };
  } finally {
    await product.stop();
    await sink.stop();
  }
}

async function createFor(
  product: Product,
  merchants: readonly Merchant[],
  count: number,
): Promise<void> {
  await inParallel(count, IN_FLIGHT, async (number) => {
    const { key } = merchants[number % merchants.length] as Merchant;
    const order = { amount: 5, description: `Order ${number}`, metadata: { order: String(number) } };
    const { status } = await product.ask('POST', '/api/v1/payments', order, { key });
    if (status !== 200) throw new Error(`POST /payments answered ${status}`);
  });
}

/** Every payment has its delivery record. */
async function planned(
  product: Product,
  merchants: readonly Merchant[],
  count: number,
): Promise<void> {
  const total = async () => (await totals(product, merchants, '')).reduce((a, b) => a + b, 0);
  await eventually('the deliveries are planned', total, (sum) => sum >= count, PLANNED_WITHIN_MS);
}

const totals = (product: Product, merchants: readonly Merchant[], filter: string) =>
  Promise.all(
    merchants.map(async ({ key }) => {
      const answer = await product.ask('GET', `/api/v1/webhooks?limit=1${filter}`, undefined, { key });
      return Number(answer.headers['x-total-count']);
    }),
  );

/** A signature fits one merchant's secret only. */
async function badlySigned(sink: Sink, merchants: readonly Merchant[]): Promise<string[]> {
  const { samples } = await sink.show();
  const wrong = samples.filter((sample) => {
    return !merchants.some(({ webhook_secret }) => isSigned(sample, webhook_secret));
  });
  return wrong.length === 0 ? [] : [`${wrong.length} of ${samples.length} deliveries are badly signed`];
}

/** What the sink has answered must be written down as delivered. */
async function lost(product: Product, merchants: readonly Merchant[]): Promise<string[]> {
  const read = async () => {
    const pages = await Promise.all(
      merchants.map(({ key }) => product.ask('GET', '/api/v1/webhooks?limit=100', undefined, { key })),
    );
    return pages.flatMap(({ json }) => json as { status: string }[]);
  };
  const delivered = (records: { status: string }[]) =>
    records.every(({ status }) => status === 'delivered');
  const records = await eventually('the deliveries are recorded', read, delivered, 10_000).catch(() => null);
  return records ? [] : ['deliveries that the sink has answered are not recorded as delivered'];
}
