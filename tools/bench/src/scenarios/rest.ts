import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { toleranceOf } from '../bench';
import { REST } from '../goals';
import { paymentOrder } from '../load/load-run';
import { cpuByName, processTree, programOf, type ProcessRow } from '../machine/processes';
import { Product, type Run } from '../product/product';
import { judge, type Figures } from '../report/entry';

const MEASURED_MS = { full: 30_000, quick: 10_000 };
const SETTLE_MS = { full: 20_000, quick: 10_000 };
const PAYMENTS = 5;

/** What a run costs while nothing happens, in percent of one core: all its processes, after a few payments. */
export const rest: Scenario = {
  name: 'rest',
  async run(bench) {
    const entries = [];
    for (const run of ['embedded', 'postgres'] as const) {
      const { figures, failed } = await restOf(bench, run);
      entries.push(
        judge(
          {
            name: 'rest',
            params: { run, payments: PAYMENTS },
            baseline_name: 'none',
            baseline: {},
            candidate: figures,
            ratio: {},
            rows_checked: false,
            errors: failed,
            faults: failed > 0 ? [`${failed} payments were refused`] : [],
          },
          REST,
          toleranceOf(bench.flags),
        ),
      );
    }
    return entries;
  },
};

async function restOf(bench: Bench, run: Run): Promise<{ figures: Figures; failed: number }> {
  const length = bench.flags.quick ? 'quick' : 'full';
  const product = await Product.start({ data_dir: bench.folder(`rest-${run}`), run });
  try {
    let failed = 0;
    for (let number = 0; number < PAYMENTS; number += 1) {
      const order = JSON.parse(paymentOrder(number)) as object;
      const { status } = await product.ask('POST', '/api/v1/payments', order);
      if (status !== 200) failed += 1;
    }
    await sleep(SETTLE_MS[length]);
    const before = processTree(product.pid);
    const began = performance.now();
    await sleep(MEASURED_MS[length]);
    const seconds = (performance.now() - began) / 1000;
    const figures = cpuByName(before, processTree(product.pid), namesOf(product, before), seconds);
    const spent = Object.entries(figures).sort(([, a], [, b]) => b - a);
    bench.say(`  ${run}: ${spent.map(([name, percent]) => `${name} ${percent.toFixed(2)} %`).join(', ')}`);
    return { figures, failed };
  } finally {
    await product.stop();
  }
}

/** Services by their names, the other Node processes by their programs. */
const namesOf = (product: Product, rows: readonly ProcessRow[]): ReadonlyMap<number, string> =>
  new Map(rows.map(({ pid, name }) => [pid, product.names.get(pid) ?? programOf(pid) ?? name]));
