import type { Bench, Scenario } from '../bench';
import { PAYMENT_PAGE } from '../goals';
import { BEHIND_PROXY } from '../load/client-address';
import type { RequestSpec } from '../load/load-spec';
import { probe } from '../product/probes';
import { Product } from '../product/product';
import { runRounds } from '../rounds';
import { comparedLine, entryOfRounds, type FiguresSide } from './figures-side';
import { shoot, shotFigures, sumOfCpu } from './shot';

const CONNECTIONS = 16;
const PAYMENTS = 100;
const COMPARED = ['rps', 'cpu', 'p99'] as const;

type Read = (product: Product, ids: readonly string[]) => RequestSpec;

const page: Read = (_, ids) => reading(ids.map((id) => `/p/${id}`), {});

const payment: Read = ({ ready }, ids) =>
  reading(
    ids.map((id) => `/api/v1/payments/${id}`),
    { authorization: `Bearer ${ready.demo.api_key}` },
  );

/** The page that customers pay on, its QR code included, against the merchant’s GET of the same payments. */
export const paymentPage: Scenario = {
  name: 'payment-page',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      'payment-page',
      { baseline: () => read(bench, payment), candidate: () => read(bench, page) },
      comparedLine(COMPARED),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'payment-page',
        params: { connections: CONNECTIONS },
        baseline_name: 'GET of the payment',
        compared: COMPARED,
        goals: PAYMENT_PAGE,
      }),
    ];
  },
};

async function read(bench: Bench, what: Read): Promise<FiguresSide> {
  const { settle_ms: warmup_ms, timed_ms, profile } = bench.flags;
  const data_dir = bench.folder('payment-page');
  const product = await Product.start({ data_dir, env: BEHIND_PROXY, profile });
  try {
    const wrong = await probe(product);
    if (wrong.length > 0) return { figures: {}, faults: wrong };
    const make = () => product.ask('POST', '/api/v1/payments', { amount: 5 });
    const made = await Promise.all(Array.from({ length: PAYMENTS }, make));
    const request = what(product, made.map(({ json }) => json.id as string));
    const spec = { url: product.url, request, connections: CONNECTIONS, warmup_ms, timed_ms };
    const shot = await shoot(bench.load, spec, product.metered, product.server.connection_string);
    const figures = shotFigures(shot);
    const failures = Object.entries(shot.load.failures);
    return {
      figures: { ...figures, cpu: sumOfCpu(figures) },
      faults: failures.map(([how, count]) => `${count} requests ended with ${how}`),
    };
  } finally {
    await product.stop();
  }
}

const reading = (paths: readonly string[], headers: RequestSpec['headers']): RequestSpec => ({
  ...{ method: 'GET', body: 'none', forwarded: true },
  ...{ paths, headers },
});
