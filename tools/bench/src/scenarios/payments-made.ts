import type { Bench } from '../bench';
import type { RequestSpec } from '../load/load-spec';
import { countEvents } from '../product/log-rows';
import { probe } from '../product/probes';
import { Product, type ProductOptions } from '../product/product';
import type { FiguresSide } from './figures-side';
import { shoot, sideOf } from './shot';

export const CONNECTIONS = 64;

interface Making {
  /** Of the program, and of the folder with its data. */
  readonly name: string;
  readonly run?: ProductOptions['run'];
  readonly env?: ProductOptions['env'];
  /** What each 2xx answer leaves in the log; `PaymentCreated` unless told. */
  readonly event_type?: string;
  requestFor(product: Product): RequestSpec | Promise<RequestSpec>;
  /** What is wrong once all are made, besides what is checked of every run. */
  faultsOf?(product: Product): Promise<readonly string[]>;
}

/** Payments, or what else is asked for, made per second by requests of one kind; each answer is a row of the log. */
export async function paymentsMade(
  bench: Bench,
  { name, run = 'embedded', env, event_type = 'PaymentCreated', requestFor, faultsOf }: Making,
): Promise<FiguresSide> {
  const { settle_ms: warmup_ms, timed_ms, profile } = bench.flags;
  const data_dir = bench.folder(name);
  const product = await Product.start({ data_dir, run, profile, ...(env ? { env } : {}) });
  try {
    const wrong = await probe(product);
    if (wrong.length > 0) return { figures: {}, faults: wrong };
    const request = await requestFor(product);
    const { connection_string } = product.server;
    const before = await countEvents(connection_string, event_type);
    const spec = { url: product.url, request, connections: CONNECTIONS, warmup_ms, timed_ms };
    const shot = await shoot(bench.load, spec, product.metered, connection_string);
    const { accepted } = shot.load;
    const stored = (await countEvents(connection_string, event_type)) - before;
    const { figures, faults } = sideOf(shot);
    const lost =
      stored === accepted ? [] : [`${accepted} answers were 2xx, ${stored} rows are in the log`];
    return { figures, faults: [...faults, ...lost, ...((await faultsOf?.(product)) ?? [])] };
  } finally {
    await product.stop();
  }
}
