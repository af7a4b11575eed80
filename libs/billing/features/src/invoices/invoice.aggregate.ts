import { invoiceDecider, invoiceDueAt } from '@tender/billing-domain';
import { invoiceIds, modeOf } from '@tender/contracts';
import { aggregate, due } from '@tender/eventing';
import { MODES } from '@tender/kernel';

export const invoice = aggregate({
  noun: 'invoice',
  modes: MODES,
  modeOf: (id) => modeOf(invoiceIds, id),
  decider: invoiceDecider,
  begins: ['DraftInvoice'],
  view: {
    name: 'billing.invoices@1',
    table: 'billing.invoices',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: {
      status: ['text', ({ status }) => status],
      year: ['text', ({ terms }) => terms.created_at.slice(0, 4)],
      book: ['integer', ({ book }) => book],
      due_at: ['text', (state) => invoiceDueAt(state)],
      created_at: ['text', ({ terms }) => terms.created_at],
    },
  },
});

/** In the night after the due date, UTC. */
export const overdueInvoices = due({
  name: 'billing.overdue-invoices',
  of: invoice,
  at: 'due_at',
  command: (_, due_at) => ({ type: 'AdvanceInvoice', due_at }) as const,
});
