import type { Bench, Scenario } from '../bench';
import { REFUND_TOLD, REFUNDS_SIGNED } from '../goals';
import { Sink } from '../load/sink';
import { untilCalm } from '../machine/cpu-meter';
import { Product } from '../product/product';
import { allAtOnce } from '../refunds/all-at-once';
import { BareTransfers } from '../refunds/bare-transfers';
import { oneByOne } from '../refunds/one-by-one';
import { paidPayments, RefundingShop } from '../refunds/refunding-shop';
import type { Figures } from '../report/entry';
import { bareSigning } from './bare-signing';
import { entryOfRounds } from './figures-side';

const SHOPS = 8;
/** One of them each moment, and the others all at once. */
const REFUNDS = { full: { steady: 120, burst: 240 }, quick: { steady: 24, burst: 48 } };
const APART_MS = 250;

/** A refund from its answer to its merchant’s webhook, and how many a second two signers bear. */
export const refund: Scenario = {
  name: 'refund',
  async run(bench) {
    const rounds: Measured[] = [];
    const wanted = bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds);
    for (let number = 1; number <= wanted; number += 1) {
      const round = await bench.noise.round(() => measured(bench), bench.say);
      rounds.push(round);
      bench.say(`  refund ${number}/${wanted}: ${lineOf(round)}`);
    }
    const { steady, burst } = sizeOf(bench);
    const sides = (baseline: keyof Kinds, candidate: keyof Kinds) =>
      rounds.map(({ faults, ...kinds }) => ({
        baseline: { figures: kinds[baseline], faults },
        candidate: { figures: kinds[candidate], faults: [] },
      }));
    return [
      entryOfRounds(bench, sides('transfers', 'told'), {
        ...{ name: 'refund', params: { step: 'told', refunds: steady, apart_ms: APART_MS } },
        ...{ baseline_name: 'bare transfers, final', compared: ['p99', 'p50'], goals: REFUND_TOLD },
      }),
      entryOfRounds(bench, sides('signing', 'signed'), {
        ...{ name: 'refund', params: { step: 'signed', refunds: burst, wallets: SHOPS } },
        ...{ baseline_name: 'bare FROST, one at a time', compared: ['per_s'], goals: REFUNDS_SIGNED },
      }),
    ];
  },
};

/** What one round has measured. */
interface Kinds {
  /** Bare transfers, from the node’s answer to final. */
  readonly transfers: Figures;
  /** Refunds that were asked for in the same moments, from the answer to the webhook. */
  readonly told: Figures;
  readonly signing: Figures;
  readonly signed: Figures;
}
type Measured = Kinds & { readonly faults: readonly string[] };

const sizeOf = ({ flags }: Bench) => REFUNDS[flags.quick ? 'quick' : 'full'];

function lineOf({ transfers, told, signing, signed }: Measured): string {
  const seconds = [told, transfers].map(({ p50 = NaN, p99 = NaN }) => {
    return `p50 ${(p50 / 1000).toFixed(2)} p99 ${(p99 / 1000).toFixed(2)} s`;
  });
  const rates = [signed, signing].map(({ per_s = NaN }) => per_s.toFixed(1));
  return `told ${seconds.join(' against ')}; signed ${rates.join('/')} per s`;
}

async function measured(bench: Bench): Promise<Measured> {
  const ran = await refunded(bench);
  return { ...ran, signing: (await bareSigning(bench)).figures };
}

async function refunded(bench: Bench): Promise<Omit<Measured, 'signing'>> {
  const { steady, burst } = sizeOf(bench);
  const sink = await Sink.start(1);
  const product = await Product.start({
    data_dir: bench.folder('refund'),
    profile: bench.flags.profile,
  });
  try {
    const shops = await RefundingShop.several(product, `${sink.urls[0]}/hook`, SHOPS);
    const payments = await paidPayments(shops, steady + burst);
    await untilCalm(product.metered);
    const bare = await BareTransfers.open(product);
    const beside = { apart_ms: APART_MS, sink, bare };
    const one_by_one = await oneByOne(payments.slice(0, steady), beside);
    await untilCalm(product.metered);
    return { ...one_by_one, signed: await allAtOnce(product, payments.slice(steady)) };
  } finally {
    await product.stop();
    await sink.stop();
  }
}
