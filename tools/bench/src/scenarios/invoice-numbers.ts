import type { Bench, Scenario } from '../bench';
import { INVOICE_NUMBERS } from '../goals';
import type { RequestSpec } from '../load/load-spec';
import { paymentRequest } from '../load/payment-request';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

/** Invoices of one merchant, each of which takes its number after the one before, beside POST /payments. */
export const invoiceNumbers: Scenario = {
  name: 'invoice-numbers',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      'invoice-numbers',
      { baseline: () => payments(bench), candidate: () => invoices(bench) },
      line,
      bench.flags.quick ? 1 : bench.flags.rounds,
    );
    return [
      entryOfRounds(bench, rounds, {
        ...{ name: 'invoice-numbers', params: { connections: CONNECTIONS } },
        ...{ baseline_name: 'create-payment', compared: ['rps'], goals: INVOICE_NUMBERS },
      }),
    ];
  },
};

function line({ baseline, candidate }: Round<FiguresSide>): string {
  const [ours, theirs] = [candidate.figures['rps'] ?? NaN, baseline.figures['rps'] ?? NaN];
  return `${ours.toFixed(0)} invoices/s, ${theirs.toFixed(0)} payments/s`;
}

const payments = (bench: Bench): Promise<FiguresSide> =>
  paymentsMade(bench, {
    name: 'invoice-numbers',
    requestFor: ({ ready }) => paymentRequest(ready.demo.api_key),
  });

const invoices = (bench: Bench): Promise<FiguresSide> =>
  paymentsMade(bench, {
    ...{ name: 'invoice-numbers', event_type: 'InvoiceCreated' },
    requestFor: ({ ready }): RequestSpec => ({
      ...paymentRequest(ready.demo.api_key),
      ...{ paths: ['/api/v1/invoices'], body: 'invoice' },
    }),
  });
