import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { SCREENING, SCREENING_DISTRIBUTED } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { countScreenings } from '../product/log-rows';
import type { Run } from '../product/product';
import type { Goal } from '../report/entry';
import { comparedScenario } from './compared-scenario';
import type { FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

const WITHOUT = path.join(__dirname, '../product/without-screening.js');

interface Plan {
  readonly name: string;
  readonly run: Run;
  readonly goals: readonly Goal[];
}

/** POST /payments as it is, against the same program that asks fraud about none of them. */
export const screening = scenarioOf({ name: 'screening', run: 'embedded', goals: SCREENING });

/** The same where payments asks fraud in another process. */
export const screeningDistributed = scenarioOf({
  ...{ name: 'screening-distributed', run: 'postgres', goals: SCREENING_DISTRIBUTED },
});

function scenarioOf(plan: Plan): Scenario {
  const { name, run, goals } = plan;
  return comparedScenario({
    ...{ name, goals, baseline_name: 'itself without screening' },
    ...{ params: { connections: CONNECTIONS }, compared: ['rps', 'cpu', 'p99'] },
    ...(run === 'embedded' ? {} : { slow: true }),
    baseline: (bench) => made(bench, plan, false),
    candidate: (bench) => made(bench, plan, true),
  });
}

const made = (bench: Bench, { name, run }: Plan, is_screened: boolean): Promise<FiguresSide> =>
  paymentsMade(bench, {
    ...{ name, run },
    ...(is_screened ? {} : { env: { NODE_OPTIONS: `--require ${WITHOUT}` } }),
    requestFor: ({ ready }) => paymentRequest(ready.demo.api_key),
    async faultsOf({ server }) {
      const screenings = await countScreenings(server.connection_string);
      return screenings > 0 === is_screened ? [] : [`${screenings} screenings were written`];
    },
  });
