import type { Bench, Scenario } from '../bench';
import { toleranceOf } from '../bench';
import { startBaseline } from '../baselines/start-baseline';
import { STATUS_POLL } from '../goals';
import type { LoadSpec } from '../load/load-spec';
import { probe } from '../product/probes';
import { Product } from '../product/product';
import { judge } from '../report/entry';
import { runRounds } from '../rounds';
import { medians, ratios } from '../statistics';
import { failuresIn, shoot, shotFigures, type Shot } from './shot';

const CONNECTIONS = 64;
/** Checkout pages that are open at once. */
const PAYMENTS = 100;

interface Side {
  readonly shot: Shot | null;
  readonly faults: readonly string[];
}

/** GET /payments/{id}/status against a raw Fastify that always says the same (goal 4). */
export const statusPoll: Scenario = {
  name: 'status-poll',
  async run(bench) {
    const rounds = await runRounds<Side>(
      bench,
      this.name,
      { baseline: () => baselineSide(bench), candidate: () => candidateSide(bench) },
      ({ baseline, candidate }) =>
        [candidate, baseline].map(({ shot }) => shot?.load.rps.toFixed(0)).join('/'),
      bench.flags.quick ? 1 : bench.flags.rounds,
    );
    const both = rounds.flatMap(({ baseline, candidate }) =>
      baseline.shot && candidate.shot
        ? [{ baseline: shotFigures(baseline.shot), candidate: shotFigures(candidate.shot) }]
        : [],
    );
    const sides = rounds.flatMap(({ baseline, candidate }) => [baseline, candidate]);
    const errors = failuresIn(sides.flatMap(({ shot }) => shot ?? []));
    const faults = [...new Set(sides.flatMap((side) => side.faults))];
    if (errors > 0) faults.push(`${errors} requests were not answered with 2xx`);
    const sec = bench.flags.timed_ms / 1000;
    return [
      judge(
        {
          name: 'status-poll',
          params: { connections: CONNECTIONS, sec, rounds: rounds.length },
          baseline_name: 'fastify-static',
          baseline: medians(both.map(({ baseline }) => baseline)),
          candidate: medians(both.map(({ candidate }) => candidate)),
          ratio: ratios(
            both,
            { rps: ({ rps = 0 }) => rps, node_us: ({ node_us = 0 }) => node_us },
            'rps',
          ),
          // Reading stores nothing.
          rows_checked: false,
          errors,
          faults,
        },
        STATUS_POLL,
        toleranceOf(bench.flags),
      ),
    ];
  },
};

async function baselineSide(bench: Bench): Promise<Side> {
  const { connection_string, postmaster } = await bench.server();
  const server = await startBaseline('fastify-static');
  try {
    const paths = Array.from({ length: PAYMENTS }, (_, number) => {
      return statusPath(`pay_test_${String(number).padStart(22, 'a')}`);
    });
    const metered = { node: server.pid, postmaster };
    const load = spec(bench, server.url, paths);
    return { shot: await shoot(bench.load, load, metered, connection_string), faults: [] };
  } finally {
    await server.stop();
  }
}

async function candidateSide(bench: Bench): Promise<Side> {
  const product = await Product.start({
    data_dir: bench.folder('status'),
    profile: bench.flags.profile,
  });
  try {
    const wrong = await probe(product);
    if (wrong.length > 0) return { shot: null, faults: wrong };
    const created = await Promise.all(
      Array.from({ length: PAYMENTS }, () => product.ask('POST', '/api/v1/payments', { amount: 5 })),
    );
    const paths = created.map(({ json }) => statusPath(json.id as string));
    const { connection_string } = product.server;
    const load = spec(bench, product.url, paths);
    return { shot: await shoot(bench.load, load, product.metered, connection_string), faults: [] };
  } finally {
    await product.stop();
  }
}

const statusPath = (id: string): string => `/api/v1/payments/${id}/status`;

function spec({ flags }: Bench, url: string, paths: readonly string[]): LoadSpec {
  const { settle_ms: warmup_ms, timed_ms } = flags;
  const request = { method: 'GET', paths, headers: {}, body: 'none' } as const;
  return { url, request, connections: CONNECTIONS, warmup_ms, timed_ms };
}
