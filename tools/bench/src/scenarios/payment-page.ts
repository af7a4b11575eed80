import type { Bench } from '../bench';
import { PAYMENT_PAGE } from '../goals';
import { BEHIND_PROXY } from '../load/client-address';
import type { RequestSpec } from '../load/load-spec';
import { probe } from '../product/probes';
import { Product } from '../product/product';
import { comparedScenario } from './compared-scenario';
import type { FiguresSide } from './figures-side';
import { shoot, sideOf } from './shot';

const CONNECTIONS = 16;
const PAYMENTS = 100;

type Read = (product: Product, ids: readonly string[]) => RequestSpec;

const page: Read = (_, ids) => reading(ids.map((id) => `/p/${id}`), {});

const payment: Read = ({ ready }, ids) =>
  reading(
    ids.map((id) => `/api/v1/payments/${id}`),
    { authorization: `Bearer ${ready.demo.api_key}` },
  );

/** The page that customers pay on, its QR code included, against the merchant’s GET of the same payments. */
export const paymentPage = comparedScenario({
  ...{ name: 'payment-page', goals: PAYMENT_PAGE, baseline_name: 'GET of the payment' },
  ...{ params: { connections: CONNECTIONS }, compared: ['rps', 'cpu', 'p99'] },
  baseline: (bench) => read(bench, payment),
  candidate: (bench) => read(bench, page),
});

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
    return sideOf(shot);
  } finally {
    await product.stop();
  }
}

const reading = (paths: readonly string[], headers: RequestSpec['headers']): RequestSpec => ({
  ...{ method: 'GET', body: 'none', forwarded: true },
  ...{ paths, headers },
});
