/** What the routes of test helpers have in common (specification §5). */
export const testHelper = {
  context: 'sandbox',
  auth: 'helper',
  limit: 'none',
  idempotent: false,
  tag: 'Test helpers',
} as const;
