import type { RequestSpec } from './load-spec';

/** A new order each time, by the holder of `key`. */
export function paymentRequest(
  key: string,
  body: 'payment' | 'customer' = 'payment',
): RequestSpec {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { method: 'POST', paths: ['/api/v1/payments'], headers, body };
}
