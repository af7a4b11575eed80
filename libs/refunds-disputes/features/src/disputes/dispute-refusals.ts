import type { RefusalAnswers } from '@tender/http';

/** Of those who act on a dispute. */
export const UNRESOLVED_REFUSALS = {
  dispute_unknown: [404, 'not_found', 'There is no such resource.'],
  dispute_already_resolved: [
    409,
    'dispute_already_resolved',
    'The dispute was resolved before, and a resolution is final.',
  ],
} as const satisfies RefusalAnswers<'dispute_unknown' | 'dispute_already_resolved'>;
