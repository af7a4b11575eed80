import type { Bench, Scenario } from '../bench';
import { NEW_CUSTOMERS } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { runRounds } from '../rounds';
import { comparedLine, entryOfRounds, type FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

const COMPARED = ['rps', 'cpu', 'p99'] as const;

/** POST /payments by customers who were not seen before, against payments without a customer. */
export const newCustomers: Scenario = {
  name: 'new-customers',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      'new-customers',
      { baseline: () => made(bench, 'payment'), candidate: () => made(bench, 'customer') },
      comparedLine(COMPARED),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'new-customers',
        params: { connections: CONNECTIONS },
        baseline_name: 'itself without customers',
        compared: COMPARED,
        goals: NEW_CUSTOMERS,
      }),
    ];
  },
};

const made = (bench: Bench, body: 'payment' | 'customer'): Promise<FiguresSide> =>
  paymentsMade(bench, {
    name: 'new-customers',
    requestFor: ({ ready }) => paymentRequest(ready.demo.api_key, body),
  });
