import { timeOf } from '@tender/kernel';

/** The header that says when to come back, by whole seconds: at that time (ISO 8601), a second from now at least. */
export const retryAfter = (time: string, now_ms: number): { readonly 'Retry-After': string } => ({
  'Retry-After': String(Math.max(1, Math.ceil((timeOf(time) - now_ms) / 1000))),
});
