import path from 'node:path';
import type { Scenario } from '../bench';
import { SCREENING } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { countScreenings } from '../product/log-rows';
import type { Product } from '../product/product';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

const WITHOUT = path.join(__dirname, '../product/without-screening.js');

/** POST /payments as it is, against the same program that asks fraud about none of them. */
export const screening: Scenario = {
  name: 'screening',
  async run(bench) {
    const making = {
      name: 'screening',
      requestFor: ({ ready }: Product) => paymentRequest(ready.demo.api_key),
    };
    const rounds = await runRounds<FiguresSide>(
      bench,
      'screening',
      {
        baseline: () =>
          paymentsMade(bench, {
            ...making,
            env: { NODE_OPTIONS: `--require ${WITHOUT}` },
            faultsOf: async ({ server }) => screenedIf(false, await countScreenings(server.connection_string)),
          }),
        candidate: () =>
          paymentsMade(bench, {
            ...making,
            faultsOf: async ({ server }) => screenedIf(true, await countScreenings(server.connection_string)),
          }),
      },
      ({ baseline, candidate }) =>
        ['rps', 'cpu', 'p99']
          .map((name) => [name, candidate.figures[name] ?? NaN, baseline.figures[name] ?? NaN] as const)
          .map(([name, ours, theirs]) => {
            return `${name} ${ours.toFixed(1)}/${theirs.toFixed(1)} = ${(ours / theirs).toFixed(2)}`;
          })
          .join('  '),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'screening',
        params: { connections: CONNECTIONS },
        baseline_name: 'itself without screening',
        compared: ['rps', 'cpu', 'p99'],
        goals: SCREENING,
      }),
    ];
  },
};

const screenedIf = (is_screened: boolean, screenings: number): readonly string[] =>
  screenings > 0 === is_screened ? [] : [`${screenings} screenings were written`];
