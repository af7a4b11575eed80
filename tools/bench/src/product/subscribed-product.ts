import type { Bench } from '../bench';
import type { FreshDatabase } from '../fresh-database';
import { untilCalm } from '../machine/cpu-meter';
import { bulkSubscriptions, countSubscriptions } from './bulk-subscriptions';
import { WALLET } from './merchants';
import { Product } from './product';
import { eventually } from './request';

const WORKED_OFF_WITHIN_MS = 300_000;
export const TRIAL_DAYS = 30;

export interface Subscribed {
  /** Of the folder with its data. */
  readonly name: string;
  readonly count: number;
  /** Between the ends of their trials. */
  readonly apart_s: number;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A program with so many monthly subscriptions in their trial, all of which it has worked off. They are put into its
 * log while it is stopped: to make them by the API would take longer than what is measured.
 */
export async function subscribedProduct(
  bench: Bench,
  { connection_string }: FreshDatabase,
  { name, count, apart_s, env = {} }: Subscribed,
): Promise<Product> {
  const start = { data_dir: bench.folder(name), env: { ...env, DATABASE_URL: connection_string } };
  const first = await Product.start(start);
  try {
    await subscribe(first);
  } finally {
    await first.stop();
  }
  if (count > 1) await bulkSubscriptions(connection_string, count - 1, apart_s);
  const product = await Product.start({ ...start, profile: bench.flags.profile });
  try {
    const there = () => countSubscriptions(connection_string);
    await eventually('subscriptions are shown', there, (rows) => rows === count, WORKED_OFF_WITHIN_MS);
    await untilCalm(product.metered, WORKED_OFF_WITHIN_MS);
    return product;
  } catch (error) {
    await product.stop();
    throw error;
  }
}

async function subscribe(product: Product): Promise<void> {
  const plan = await product.ask('POST', '/api/v1/subscription-plans', {
    ...{ name: 'Coffee', amount: 5, billing_interval: 'monthly', trial_days: TRIAL_DAYS },
  });
  const { status, json } = await product.ask('POST', '/api/v1/subscriptions', {
    ...{ plan_id: plan.json.id, customer_wallet: WALLET },
  });
  if (status !== 201) throw new Error(`subscribing answered ${status} ${JSON.stringify(json)}`);
}
