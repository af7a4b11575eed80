import type { RefusalAnswers } from '@tender/http';

const NONE = [404, 'not_found', 'There is no such resource.'] as const;

/** Its merchant is not told of an invoice before it has its number. */
export const MISSING: RefusalAnswers<'invoice_unknown' | 'invoice_unnumbered'> = {
  invoice_unknown: NONE,
  invoice_unnumbered: NONE,
};
