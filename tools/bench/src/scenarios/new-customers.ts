import type { Bench } from '../bench';
import { NEW_CUSTOMERS } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { comparedScenario } from './compared-scenario';
import type { FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

/** POST /payments by customers who were not seen before, against payments without a customer. */
export const newCustomers = comparedScenario({
  ...{ name: 'new-customers', goals: NEW_CUSTOMERS, baseline_name: 'itself without customers' },
  ...{ params: { connections: CONNECTIONS }, compared: ['rps', 'cpu', 'p99'] },
  baseline: (bench) => made(bench, 'payment'),
  candidate: (bench) => made(bench, 'customer'),
});

const made = (bench: Bench, body: 'payment' | 'customer'): Promise<FiguresSide> =>
  paymentsMade(bench, {
    name: 'new-customers',
    requestFor: ({ ready }) => paymentRequest(ready.demo.api_key, body),
  });
