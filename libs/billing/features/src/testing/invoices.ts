import type { RequestContext } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';

const MERCHANT = { merchant_id: 'm1', merchant_name: 'Corner Shop', actor: 'key:k1' as const };

export const ADA = { email: 'ada@example.com', name: 'Ada Obi' };

/** What a merchant sends for an invoice of 100.50. */
export const WORK = {
  ...{ customer_email: ADA.email, customer_name: ADA.name, amount: 100.5 },
  description: 'Work in January',
  line_items: [
    { description: 'Hours', quantity: 1.5, unit_price: 60 },
    { description: 'Train', quantity: 1, unit_price: 10.5 },
  ],
};

/** The routes of invoices, as a merchant asks them. */
export const invoicesOf = (stage: ContextStage) => {
  const caller = (changes: Partial<RequestContext> = {}) =>
    stage.caller({ ...MERCHANT, ...changes });
  return {
    caller,
    create: (body: object = {}, changes: Partial<RequestContext> = {}) =>
      stage.send('POST', '/api/v1/invoices', caller(changes), { ...WORK, ...body }),
    get: (path: string, changes: Partial<RequestContext> = {}) =>
      stage.send('GET', `/api/v1/invoices${path}`, caller(changes)),
    act: (id: string, step: string, changes: Partial<RequestContext> = {}) =>
      stage.send('POST', `/api/v1/invoices/${id}/${step}`, caller(changes)),
    pdf: (id: string, changes: Partial<RequestContext> = {}) =>
      stage.app.inject({
        ...{ method: 'GET', url: `/api/v1/invoices/${id}/pdf` },
        headers: { 'x-caller': JSON.stringify(caller(changes)) },
      }),
  };
};
