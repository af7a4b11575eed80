/** Pages answer in HTML whatever is asked for, so the path says no more than that there is one. */
export const DOCUMENT_ROUTE = {
  context: 'checkout',
  method: 'GET',
  auth: 'open',
  idempotent: false,
  answers: { 200: null },
  refusals: ['not_found'],
  tag: 'Checkout pages',
} as const;

export const PAGE_ROUTE = { ...DOCUMENT_ROUTE, page: true, limit: 'status' } as const;

/** What pages do without a script: bounded as the routes that scripts ask, and counted with them. */
export const FORM_ROUTE = {
  context: 'checkout',
  method: 'POST',
  auth: 'public',
  limit: 'public',
  form: true,
  page: true,
  idempotent: false,
  answers: { 303: null },
  tag: 'Checkout pages',
} as const;
