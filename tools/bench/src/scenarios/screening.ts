import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { SCREENING } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { countScreenings } from '../product/log-rows';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

const WITHOUT = path.join(__dirname, '../product/without-screening.js');

/** POST /payments as it is, against the same program that asks fraud about none of them. */
export const screening: Scenario = {
  name: 'screening',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      'screening',
      { baseline: () => made(bench, false), candidate: () => made(bench, true) },
      line,
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'screening',
        params: { connections: CONNECTIONS },
        baseline_name: 'itself without screening',
        compared: COMPARED,
        goals: SCREENING,
      }),
    ];
  },
};

const COMPARED = ['rps', 'cpu', 'p99'] as const;

const line = ({ baseline, candidate }: Round<FiguresSide>): string =>
  COMPARED.map((name) => {
    const [ours, theirs] = [candidate.figures[name] ?? NaN, baseline.figures[name] ?? NaN];
    return `${name} ${ours.toFixed(1)}/${theirs.toFixed(1)} = ${(ours / theirs).toFixed(2)}`;
  }).join('  ');

const made = (bench: Bench, is_screened: boolean): Promise<FiguresSide> =>
  paymentsMade(bench, {
    name: 'screening',
    ...(is_screened ? {} : { env: { NODE_OPTIONS: `--require ${WITHOUT}` } }),
    requestFor: ({ ready }) => paymentRequest(ready.demo.api_key),
    async faultsOf({ server }) {
      const screenings = await countScreenings(server.connection_string);
      return screenings > 0 === is_screened ? [] : [`${screenings} screenings were written`];
    },
  });
