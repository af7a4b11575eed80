import type { Bench, Scenario } from '../bench';
import { freshDatabase } from '../fresh-database';
import { CHARGES_DUE } from '../goals';
import { untilCalm } from '../machine/cpu-meter';
import { advance } from '../product/business-time';
import { linksPaidPerSecond } from '../product/links-paid';
import { recordedSince } from '../product/log-rows';
import type { Product } from '../product/product';
import { subscribedProduct, TRIAL_DAYS } from '../product/subscribed-product';
import { entryOfRounds, type FiguresSide } from './figures-side';

const SUBSCRIPTIONS = { full: 10_000, quick: 1_000 };
const BY_API = { full: 4_000, quick: 500 };
const ROUNDS = { full: 3, quick: 1 };
const DAY_S = 86_400;
/** What a charge is not there without: its link, that link's payment, and the subscription that knows both. */
const PARTS = ['PaymentLinkCreated', 'PaymentCreated', 'SubscriptionChargeOpened'] as const;

/** Subscriptions that all fall due in one moment, against links and payments by them that the API makes. */
export const chargesDue: Scenario = {
  name: 'charges-due',
  async run(bench) {
    const size = bench.flags.quick ? 'quick' : 'full';
    const count = bench.flags.subscriptions ?? SUBSCRIPTIONS[size];
    const rounds = Math.min(ROUNDS[size], bench.flags.rounds);
    const sides: Measured[] = [];
    for (let number = 1; number <= rounds; number += 1) {
      const sized = { count, by_api: Math.min(count, BY_API[size]) };
      const round = await bench.noise.round(() => measured(bench, sized), bench.say);
      sides.push(round);
      bench.say(`  charges-due ${number}/${rounds}: ${lineOf(round)}`);
    }
    return [
      entryOfRounds(bench, sides, {
        ...{ name: 'charges-due', params: { subscriptions: count } },
        ...{ baseline_name: 'links paid by the API', compared: ['per_s'], goals: CHARGES_DUE },
      }),
    ];
  },
};

interface Measured {
  readonly baseline: FiguresSide;
  readonly candidate: FiguresSide;
}

function lineOf({ baseline, candidate }: Measured): string {
  const [ours, theirs] = [candidate.figures['per_s'] ?? NaN, baseline.figures['per_s'] ?? NaN];
  return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
}

async function measured(
  bench: Bench,
  { count, by_api }: { readonly count: number; readonly by_api: number },
): Promise<Measured> {
  const database = await freshDatabase(bench, 'charges');
  try {
    const product = await subscribedProduct(bench, database, {
      ...{ name: 'charges', count, apart_s: 0 },
      env: { TRUSTED_PROXIES: '127.0.0.1/32' },
    });
    try {
      const by_api_per_s = await linksPaidPerSecond(product, by_api);
      await untilCalm(product.metered);
      const candidate = await chargeAll(product, count);
      return { baseline: { figures: { per_s: by_api_per_s }, faults: [] }, candidate };
    } finally {
      await product.stop();
    }
  } finally {
    await database.drop();
  }
}

async function chargeAll(product: Product, count: number): Promise<FiguresSide> {
  const began_ms = Date.now();
  await advance(product, TRIAL_DAYS * DAY_S);
  const { connection_string } = product.server;
  const recorded = await Promise.all(
    PARTS.map((type) => recordedSince(connection_string, type, began_ms)),
  );
  const faults = recorded.flatMap((part, index) =>
    part.count === count ? [] : [`${count} were due, and the log has ${part.count} ${PARTS[index]}`],
  );
  const elapsed_s = (Math.max(...recorded.map(({ last_ms }) => last_ms ?? NaN)) - began_ms) / 1000;
  const advanced_s = (Date.now() - began_ms) / 1000;
  return { figures: { per_s: count / elapsed_s, elapsed_s, advanced_s }, faults };
}
