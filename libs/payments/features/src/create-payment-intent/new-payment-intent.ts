import {
  intentIds,
  newId,
  type CreatePaymentIntentBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { minorUnits } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { PaymentIntentCreated } from '@tender/payments-domain';
import { clientSecretOf, hashOfClientSecret } from '../payment-intents/client-secret';

const DAY_SECONDS = 24 * 60 * 60;

/** All that is fixed at creation. Id and client secret derive from the request (ADR 0003). Throws 400. */
export function newPaymentIntent(
  { keyRing, clock }: Pick<Runtime, 'keyRing' | 'clock'>,
  owner: Pick<RequestContext, 'merchant_id' | 'mode' | 'id_seed' | 'command_id'>,
  body: CreatePaymentIntentBody,
): PaymentIntentCreated['data'] {
  const { merchant_id, mode, id_seed, command_id } = owner;
  const now_ms = clock.now();
  const lifetime_ms = 1000 * (body.expires_in_seconds ?? DAY_SECONDS);
  const terms = {
    payment_intent_id: newId(intentIds, mode, Buffer.from(id_seed, 'hex')),
    merchant_id,
    mode,
    amount_minor: minorUnits(body.amount).toString(),
    currency: body.currency ?? 'USD',
    description: body.description ?? null,
    capture_method: body.capture_method ?? 'automatic',
    metadata: body.metadata ?? {},
    created_at: isoTime(now_ms),
    expires_at: isoTime(now_ms + lifetime_ms),
  } as const;
  const client_secret = clientSecretOf(keyRing, command_id, terms);
  return { terms, client_secret_hash: hashOfClientSecret(client_secret) };
}
