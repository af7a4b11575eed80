import { CreateInvoiceBody, InvoiceAnswer, invoiceIds, SendInvoiceAnswer } from './invoices';
import { route } from './route';
import { PageQuery } from './validation';

const invoices = { context: 'billing', tag: 'Invoices' } as const;
const one = { ...invoices, objects: { id: invoiceIds } } as const;
const byKey = { auth: 'key', idempotent: true } as const;
const read = { ...invoices, method: 'GET', auth: 'key', limit: 'read', idempotent: false } as const;
const step = { ...one, ...byKey, method: 'POST', limit: 'other' } as const;
const create = {
  ...invoices,
  method: 'POST',
  limit: 'other',
  idempotent: true,
  body: CreateInvoiceBody,
  answers: { 201: InvoiceAnswer },
  refusals: ['amount_too_large', 'invoice_amount_mismatch', 'service_unavailable'],
} as const;
const send = {
  answers: { 200: SendInvoiceAnswer },
  refusals: [
    ...['not_found', 'invoice_already_sent', 'invalid_invoice_state', 'wallet_not_ready'],
    ...['amount_too_large', 'service_unavailable'],
  ],
} as const;

export const createInvoice = route({
  ...create,
  id: 'createInvoice',
  path: '/api/v1/invoices',
  auth: 'key',
  summary: 'Create an invoice, as a draft with its number',
});

export const listInvoices = route({
  ...read,
  id: 'listInvoices',
  path: '/api/v1/invoices',
  query: PageQuery,
  answers: { 200: [InvoiceAnswer] },
  refusals: [],
  summary: 'The merchant’s invoices, newest first',
});

export const getInvoice = route({
  ...read,
  objects: one.objects,
  id: 'getInvoice',
  path: '/api/v1/invoices/{id}',
  answers: { 200: InvoiceAnswer },
  refusals: ['not_found'],
  summary: 'One invoice',
});

export const getInvoicePdf = route({
  ...read,
  objects: one.objects,
  id: 'getInvoicePdf',
  path: '/api/v1/invoices/{id}/pdf',
  answers: { 200: null },
  refusals: ['not_found'],
  summary: 'One invoice as a PDF, as it stands now',
});

export const sendInvoice = route({
  ...step,
  ...send,
  id: 'sendInvoice',
  path: '/api/v1/invoices/{id}/send',
  summary: 'Send an invoice to its customer, with a link to pay it by',
});

export const remindInvoice = route({
  ...step,
  id: 'remindInvoice',
  path: '/api/v1/invoices/{id}/remind',
  answers: { 200: SendInvoiceAnswer },
  refusals: ['not_found', 'invalid_invoice_state', 'too_many_reminders'],
  summary: 'Send an invoice that is not paid to its customer once more',
});

const cancel = {
  ...step,
  answers: { 200: InvoiceAnswer },
  refusals: ['not_found', 'invoice_not_cancellable'],
} as const;

export const cancelInvoice = route({
  ...cancel,
  id: 'cancelInvoice',
  path: '/api/v1/invoices/{id}/cancel',
  summary: 'Cancel an invoice that is not paid; its link takes no more payments',
});

export const voidInvoice = route({
  ...cancel,
  id: 'voidInvoice',
  path: '/api/v1/invoices/{id}/void',
  summary: 'Another name of cancel',
});

const OF_DASHBOARD = '/api/v1/merchants/me/invoices';

export const createMyInvoice = route({
  ...create,
  id: 'createMyInvoice',
  path: OF_DASHBOARD,
  auth: 'session',
  summary: 'Create an invoice, from the dashboard',
});

/** Reads of the dashboard take a key, too (specification §2.13). */
export const listMyInvoices = route({
  ...read,
  id: 'listMyInvoices',
  path: OF_DASHBOARD,
  query: PageQuery,
  answers: { 200: [InvoiceAnswer] },
  refusals: [],
  summary: 'The merchant’s invoices, newest first, for the dashboard; takes a key',
});

export const getMyInvoice = route({
  ...read,
  objects: one.objects,
  id: 'getMyInvoice',
  path: `${OF_DASHBOARD}/{id}`,
  answers: { 200: InvoiceAnswer },
  refusals: ['not_found'],
  summary: 'One invoice, for the dashboard; takes a key',
});

export const sendMyInvoice = route({
  ...step,
  ...send,
  auth: 'session',
  id: 'sendMyInvoice',
  path: `${OF_DASHBOARD}/{id}/send`,
  summary: 'Send an invoice to its customer, from the dashboard',
});

export const invoicesRoutes = [
  ...[createInvoice, listInvoices, getInvoice, getInvoicePdf],
  ...[sendInvoice, remindInvoice, cancelInvoice, voidInvoice],
  ...[createMyInvoice, listMyInvoices, getMyInvoice, sendMyInvoice],
] as const;
