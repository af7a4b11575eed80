import { createHmac, type KeyObject } from 'node:crypto';
import type { SigningKeys } from './webhook-secret';

export interface Signable {
  /** The delivery's id: the same on every attempt. */
  readonly id: string;
  readonly event: string;
  readonly attempt: number;
  readonly body: Buffer;
  /** Newest first; each of them signs. */
  readonly keys: readonly SigningKeys[];
  /** Wall time of this attempt in milliseconds: a receiver refuses what is older than 300 s. */
  readonly at: number;
}

/** HMAC-SHA256 of `<t>.<raw body>` under the UTF-8 bytes of the whole secret, as hex. */
export function hexSignature(
  secret: string | KeyObject,
  t: string | number,
  body: Buffer | string,
): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

/** Headers of an attempt: ours, and the three of Standard Webhooks. */
export function deliveryHeaders(signable: Signable): Record<string, string> {
  const { id, event, attempt, body, keys, at } = signable;
  const t = Math.floor(at / 1000);
  const ours = keys.map(({ whole }) => `v1=${hexSignature(whole, t, body)}`);
  const standard = keys.map(({ decoded }) => {
    const hmac = createHmac('sha256', decoded).update(`${id}.${t}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Tender-Webhooks/1',
    'x-svc-signature': [`t=${t}`, ...ours].join(','),
    'x-svc-event': event,
    'x-svc-delivery': id,
    'x-svc-attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': String(t),
    'webhook-signature': standard.join(' '),
  };
}
