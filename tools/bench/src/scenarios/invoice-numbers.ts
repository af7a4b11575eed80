import type { Bench } from '../bench';
import { INVOICE_NUMBERS } from '../goals';
import type { RequestSpec } from '../load/load-spec';
import { paymentRequest } from '../load/payment-request';
import { comparedScenario } from './compared-scenario';
import type { FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

/** Invoices of one merchant, each of which takes its number after the one before, beside POST /payments. */
export const invoiceNumbers = comparedScenario({
  ...{ name: 'invoice-numbers', goals: INVOICE_NUMBERS, baseline_name: 'create-payment' },
  ...{ params: { connections: CONNECTIONS }, compared: ['rps'] },
  baseline: (bench) => payments(bench),
  candidate: (bench) => invoices(bench),
});

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
