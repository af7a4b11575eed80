import type { Bench, Scenario } from '../bench';
import { toleranceOf } from '../bench';
import { freshDatabase } from '../fresh-database';
import { SUBSCRIPTION_YEAR } from '../goals';
import { untilCalm } from '../machine/cpu-meter';
import { withClient } from '../machine/postgres';
import { advance, advanceTo } from '../product/business-time';
import { linksPaidPerSecond } from '../product/links-paid';
import { countEvents } from '../product/log-rows';
import { inParallel } from '../product/merchants';
import type { Product } from '../product/product';
import { eventually } from '../product/request';
import { subscribedProduct } from '../product/subscribed-product';
import { judge, type Entry, type Figures, type Goal } from '../report/entry';

const SUBSCRIPTIONS = { full: 1_000, quick: 100 };
const BY_API = 500;
const MONTHS = 12;
const YEAR_S = 365 * 86_400;
const PAYING_AT_ONCE = 16;
/** A charge that no customer pays is tried so often. */
const ATTEMPTS = 4;

interface Kind {
  readonly customers: 'pay' | 'do not pay';
  readonly seconds: 'of 100 made by the API' | 'one each';
  /** Between their charges. All of a month are due before the time of the first one is over. */
  readonly apart_s: number;
  readonly share: number;
  readonly goals: readonly Goal[];
}

const AS_MADE = { seconds: 'of 100 made by the API', apart_s: 0.01, share: 1 } as const;
const KINDS: readonly Kind[] = [
  { customers: 'do not pay', ...AS_MADE, goals: SUBSCRIPTION_YEAR },
  { customers: 'pay', ...AS_MADE, goals: SUBSCRIPTION_YEAR },
  // Shown without a goal: what a step of the clock costs, as no two of them share one.
  { customers: 'do not pay', seconds: 'one each', apart_s: 10, share: 0.1, goals: [] },
];

/** A year of monthly subscriptions by `clock/advance`, each charge in its own second: how long the advances take. */
export const subscriptionYear: Scenario = {
  name: 'subscription-year',
  async run(bench) {
    const size = bench.flags.quick ? 'quick' : 'full';
    const entries: Entry[] = [];
    for (const kind of KINDS) {
      const count = Math.ceil(kind.share * (bench.flags.subscriptions ?? SUBSCRIPTIONS[size]));
      entries.push(await entryOf(bench, kind, count));
    }
    return entries;
  },
};

async function entryOf(bench: Bench, kind: Kind, count: number): Promise<Entry> {
  const { customers, seconds, goals } = kind;
  const whole = () => year(bench, kind, count);
  const { figures, faults, per_s } = await bench.noise.round(whole, bench.say);
  const { total_s = NaN, charges = NaN } = figures;
  bench.say(
    `  ${count} customers ${customers}, seconds ${seconds}: ${total_s.toFixed(1)} s for ${charges} charges; ` +
      `the API makes ${per_s.toFixed(0)} links with a payment per second`,
  );
  return judge(
    {
      ...{ name: 'subscription-year', params: { subscriptions: count, customers, seconds } },
      ...{ baseline_name: 'links paid by the API', baseline: { per_s }, candidate: figures },
      ratio: { per_s: charges / total_s / per_s },
      ...{ rows_checked: true, errors: faults.length, faults },
    },
    goals,
    toleranceOf(bench.flags),
  );
}

interface Year {
  readonly figures: Figures;
  readonly faults: readonly string[];
  readonly per_s: number;
}

async function year(
  bench: Bench,
  { customers, apart_s }: Kind,
  count: number,
): Promise<Year> {
  const database = await freshDatabase(bench, 'year');
  try {
    const product = await subscribedProduct(bench, database, {
      ...{ name: 'year', count, apart_s, env: { TRUSTED_PROXIES: '127.0.0.1/32' } },
    });
    try {
      const per_s = await linksPaidPerSecond(product, BY_API);
      await untilCalm(product.metered);
      const total_s = await (customers === 'pay' ? paidYear(product, count) : unpaidYear(product));
      const charges = await countEvents(product.server.connection_string, 'SubscriptionChargeOpened');
      const expected = count * (customers === 'pay' ? MONTHS : ATTEMPTS);
      const faults = charges === expected ? [] : [`${expected} charges were due, ${charges} are open`];
      return { figures: { total_s, charges }, faults, per_s };
    } finally {
      await product.stop();
    }
  } finally {
    await database.drop();
  }
}

/** Each is charged at the end of its trial and three times after, and is over. */
const unpaidYear = (product: Product): Promise<number> => timed(() => advance(product, YEAR_S));

/** Month by month: all that is due in it, then what customers pay, which is not counted. */
async function paidYear(product: Product, count: number): Promise<number> {
  const { connection_string } = product.server;
  let total_s = 0;
  for (let month = 1; month <= MONTHS; month += 1) {
    const last_due_ms = await lastDue(connection_string);
    total_s += await timed(() => advanceTo(product, last_due_ms));
    const open = await pendingCharges(connection_string);
    await inParallel(open.length, PAYING_AT_ONCE, async (number) => {
      const body = { payment_id: open[number] };
      const { status, json } = await product.ask('POST', '/api/v1/test_helpers/pay', body);
      if (status !== 200) throw new Error(`paying answered ${status} ${JSON.stringify(json)}`);
    });
    const renewed = () => countEvents(connection_string, 'SubscriptionRenewed');
    await eventually('periods are paid', renewed, (paid) => paid === month * count);
    await untilCalm(product.metered);
  }
  return total_s;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** When the last of them is due next, in ms. */
const lastDue = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ due_at: string }>(
      'select max(due_at) as due_at from billing.subscriptions',
    );
    return Date.parse(String(rows[0]?.due_at));
  });

/** Payments of charges that wait for their customers. */
const pendingCharges = (connection_string: string): Promise<readonly string[]> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select detail.id from payments.payment_details as detail join billing.charges as charge
        on charge.id = detail.state->'terms'->'link'->>'payment_link_id'
        where detail.state->>'status' = 'pending'`,
    );
    return rows.map(({ id }) => id);
  });
