import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { toleranceOf } from '../bench';
import { startBaseline } from '../baselines/start-baseline';
import { emptyTable } from '../baselines/tables';
import { MEMORY } from '../goals';
import { paymentOrder } from '../load/load-run';
import { pssMb, processTree, rssMb, treePssMb } from '../machine/processes';
import { inParallel } from '../product/merchants';
import { Product } from '../product/product';
import { request } from '../product/request';
import { judge, type Figures } from '../report/entry';

const IDLE_MS = { full: 60_000, quick: 10_000 };
const PAYMENTS = 1_000;

/** Memory of the process tree after a quiet minute, and after 1,000 payments (goal 12). */
export const memory: Scenario = {
  name: 'memory',
  async run(bench) {
    const idle_ms = bench.flags.quick ? IDLE_MS.quick : IDLE_MS.full;
    const baseline = await bareFigures(bench);
    const { figures: candidate, failed } = await productFigures(bench, idle_ms);
    bench.say(
      `  tree ${candidate['tree_idle_mb']?.toFixed(0)} then ${candidate['tree_used_mb']?.toFixed(0)} MB, ` +
        `of it Node ${candidate['node_idle_mb']?.toFixed(0)} then ${candidate['node_used_mb']?.toFixed(0)} MB`,
    );
    const of = (name: string) => (candidate[name] ?? 0) / (baseline[name] ?? 1);
    return [
      judge(
        {
          name: 'memory',
          params: { idle_s: idle_ms / 1000, payments: PAYMENTS },
          baseline_name: 'fastify+insert with its Postgres',
          baseline,
          candidate,
          ratio: { tree_idle: of('tree_idle_mb'), node_idle: of('node_idle_mb') },
          rows_checked: false,
          errors: failed,
          faults: failed > 0 ? [`${failed} payments were refused`] : [],
        },
        MEMORY,
        toleranceOf(bench.flags),
      ),
    ];
  },
};

async function productFigures(
  bench: Bench,
  idle_ms: number,
): Promise<{ figures: Figures; failed: number }> {
  const product = await Product.start({ data_dir: bench.folder('memory') });
  try {
    await sleep(idle_ms);
    const idle = figuresOf(product.pid, 'idle');
    bench.say(`  by process, idle: ${listOf(product.pid)}`);
    let failed = 0;
    await inParallel(PAYMENTS, 8, async (number) => {
      const body = JSON.parse(paymentOrder(number)) as object;
      const { status } = await product.ask('POST', '/api/v1/payments', body);
      if (status !== 200) failed += 1;
    });
    await sleep(idle_ms / 6);
    return { figures: { ...idle, ...figuresOf(product.pid, 'used') }, failed };
  } finally {
    await product.stop();
  }
}

/** The raw server and its Postgres, which a service would need at the least. */
async function bareFigures(bench: Bench): Promise<Figures> {
  const { connection_string, postmaster } = await bench.server();
  await emptyTable(connection_string);
  const server = await startBaseline('fastify-insert', {
    BENCH_DATABASE: connection_string,
    BENCH_POOL: '8',
  });
  try {
    await inParallel(PAYMENTS, 8, async (number) => {
      const order = JSON.parse(paymentOrder(number)) as object;
      await request(server.url, 'POST', '/api/v1/payments', order, {});
    });
    const node_idle_mb = pssMb(server.pid);
    return { tree_idle_mb: node_idle_mb + treePssMb(postmaster), node_idle_mb };
  } finally {
    await server.stop();
  }
}

const figuresOf = (pid: number, when: 'idle' | 'used'): Figures => ({
  [`tree_${when}_mb`]: treePssMb(pid),
  [`node_${when}_mb`]: pssMb(pid),
  [`node_${when}_rss_mb`]: rssMb(pid),
});

const listOf = (pid: number): string =>
  processTree(pid)
    .map((row) => `${row.name} ${pssMb(row.pid).toFixed(0)}`)
    .join(', ');
