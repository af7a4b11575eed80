import type { Bench, Scenario } from '../bench';
import { PAY_LINK, PAY_LINK_USED } from '../goals';
import { paymentRequest } from '../load/payment-request';
import type { RequestSpec } from '../load/load-spec';
import { untilCalm } from '../machine/cpu-meter';
import { countEvents } from '../product/log-rows';
import { inParallel } from '../product/merchants';
import { probe } from '../product/probes';
import { Product } from '../product/product';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';

const CONNECTIONS = 64;
const USES = { full: 10_000, quick: 2_000 };

/** Paying by one link without `max_uses`, against POST /payments, and against itself once it was used often. */
export const payLink: Scenario = {
  name: 'pay-link',
  async run(bench) {
    const uses = USES[bench.flags.quick ? 'quick' : 'full'];
    const rounds = bench.flags.quick ? 1 : bench.flags.rounds;
    const against_create = await runRounds<FiguresSide>(
      bench,
      'pay-link',
      { baseline: () => create(bench), candidate: () => pay(bench, 0) },
      line,
      rounds,
    );
    const against_new = await runRounds<FiguresSide>(
      bench,
      `pay-link after ${uses} uses`,
      { baseline: () => pay(bench, 0), candidate: () => pay(bench, uses) },
      line,
      Math.min(2, rounds),
    );
    const common = { name: 'pay-link', compared: ['rps'] as const };
    return [
      entryOfRounds(bench, against_create, {
        ...common,
        ...{ params: { connections: CONNECTIONS }, baseline_name: 'create-payment', goals: PAY_LINK },
      }),
      entryOfRounds(bench, against_new, {
        ...common,
        ...{ params: { uses }, baseline_name: 'a new link', goals: PAY_LINK_USED },
      }),
    ];
  },
};

function line({ baseline, candidate }: Round<FiguresSide>): string {
  const [ours, theirs] = [candidate.figures['rps'] ?? NaN, baseline.figures['rps'] ?? NaN];
  return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
}

const create = (bench: Bench): Promise<FiguresSide> =>
  measured(bench, async ({ ready }) => paymentRequest(ready.demo.api_key));

const pay = (bench: Bench, uses: number): Promise<FiguresSide> =>
  measured(bench, async (product) => {
    const link = await product.ask('POST', '/api/v1/payment-links', { amount: 5 });
    const path = `/api/v1/payment-links/${link.json.link_code}/pay`;
    await inParallel(uses, CONNECTIONS, async () => {
      const { status } = await product.ask('POST', path, undefined, { key: null });
      if (status !== 201) throw new Error(`paying by the link answered ${status}`);
    });
    await untilCalm(product.metered);
    return { method: 'POST', paths: [path], headers: {}, body: 'none' };
  });

/** Payments made per second; each answer is a row of the log. */
async function measured(
  bench: Bench,
  requestFor: (product: Product) => Promise<RequestSpec>,
): Promise<FiguresSide> {
  const { warmup_ms, timed_ms, profile } = bench.flags;
  const product = await Product.start({ data_dir: bench.folder('pay-link'), profile });
  try {
    const wrong = await probe(product);
    if (wrong.length > 0) return { figures: {}, faults: wrong };
    const request = await requestFor(product);
    const { connection_string } = product.server;
    const before = await countEvents(connection_string, 'PaymentCreated');
    const spec = { url: product.url, request, connections: CONNECTIONS, warmup_ms, timed_ms };
    const { rps, accepted, failures } = await bench.load.run(spec);
    const stored = (await countEvents(connection_string, 'PaymentCreated')) - before;
    const faults = Object.entries(failures).map(([how, count]) => `${count} requests ended with ${how}`);
    if (stored !== accepted) faults.push(`${accepted} answers were 2xx, ${stored} rows are in the log`);
    return { figures: { rps }, faults };
  } finally {
    await product.stop();
  }
}
