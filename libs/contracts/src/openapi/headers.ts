import type { JsonSchema } from './schema';

const header = (description: string, schema: JsonSchema) => ({ description, schema });
export const HEADERS = {
  'X-Correlation-Id': header('Names this request in our logs.', { type: 'string', format: 'uuid' }),
  'X-Svc-Mode': header('Of the key, or of the object.', { type: 'string', enum: ['test', 'live'] }),
  'X-RateLimit-Limit': header('Requests per hour.', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Of these, still left.', { type: 'integer' }),
  'X-RateLimit-Reset': header('When the next one is given back.', {
    type: 'integer',
    description: 'Unix seconds.',
  }),
  'X-Svc-Ignored-Fields': header('Body fields that Tender does not read.', { type: 'string' }),
  'Idempotency-Replayed': header('`true` on a repeated answer.', { type: 'string' }),
  'X-Total-Count': header('Entries of the whole list.', { type: 'integer' }),
  'Retry-After': header('Seconds.', { type: 'integer' }),
};
export type HeaderName = keyof typeof HEADERS;

export const headersOf = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
/** On every answer. */
export const ALWAYS: readonly HeaderName[] = [
  'X-Correlation-Id',
  'X-Svc-Mode',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
