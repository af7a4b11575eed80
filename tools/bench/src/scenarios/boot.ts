import type { Bench, Scenario } from '../bench';
import { toleranceOf } from '../bench';
import { startBaseline } from '../baselines/start-baseline';
import { emptyTable } from '../baselines/tables';
import { BOOT } from '../goals';
import { Product } from '../product/product';
import { request } from '../product/request';
import { judge, type Figures } from '../report/entry';
import { runRounds } from '../rounds';
import { medians, ratios } from '../statistics';
import { throwawayServer } from '../throwaway-server';

const ORDER = { amount: 5, token: 'USDC' };

/** From the start of the process to the first payment: in an empty folder, and again (goal 13). */
export const boot: Scenario = {
  name: 'boot',
  async run(bench) {
    const rounds = await runRounds<Figures>(
      bench,
      this.name,
      { baseline: () => bare(bench), candidate: () => product(bench) },
      ({ baseline, candidate }) =>
        [candidate, baseline].map(({ first_s, warm_s }) => {
          return `first ${first_s?.toFixed(2)} warm ${warm_s?.toFixed(2)} s`;
        }).join(' against '),
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      judge(
        {
          name: 'boot',
          params: { rounds: rounds.length },
          baseline_name: 'Postgres, then fastify+insert',
          baseline: medians(rounds.map(({ baseline }) => baseline)),
          candidate: medians(rounds.map(({ candidate }) => candidate)),
          ratio: ratios(
            rounds,
            { warm: ({ warm_s = 0 }) => warm_s, first: ({ first_s = 0 }) => first_s },
            'warm',
          ),
          rows_checked: false,
          errors: 0,
          faults: [],
        },
        BOOT,
        toleranceOf(bench.flags),
      ),
    ];
  },
};

async function product(bench: Bench): Promise<Figures> {
  const data_dir = bench.folder('boot');
  const [first_s, first_ready_s] = await productStart(data_dir);
  const [warm_s, warm_ready_s] = await productStart(data_dir);
  return { first_s, warm_s, first_ready_s, warm_ready_s };
}

async function productStart(data_dir: string): Promise<[number, number]> {
  const began = performance.now();
  const running = await Product.start({ data_dir });
  try {
    const { status } = await running.ask('POST', '/api/v1/payments', ORDER);
    if (status !== 200) throw new Error(`the first payment was answered with ${status}`);
    return [(performance.now() - began) / 1000, running.boot_ms / 1000];
  } finally {
    await running.stop();
  }
}

async function bare(bench: Bench): Promise<Figures> {
  const data_dir = bench.folder('bare-boot');
  return { first_s: await bareStart(data_dir), warm_s: await bareStart(data_dir) };
}

async function bareStart(data_dir: string): Promise<number> {
  const began = performance.now();
  const { server, stop } = await throwawayServer(data_dir);
  try {
    await emptyTable(server.connection_string);
    const raw = await startBaseline('fastify-insert', {
      BENCH_DATABASE: server.connection_string,
      BENCH_POOL: '8',
    });
    const { status } = await request(raw.url, 'POST', '/api/v1/payments', ORDER, {});
    if (status !== 200) throw new Error(`the raw server answered ${status}`);
    const elapsed_s = (performance.now() - began) / 1000;
    await raw.stop();
    return elapsed_s;
  } finally {
    await stop();
  }
}
