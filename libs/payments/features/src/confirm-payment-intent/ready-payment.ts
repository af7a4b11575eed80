import { isMetadata, type ConfirmPaymentIntentBody, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { invalidParameter, refusalAnswer } from '@tender/http';
import { decide, fromUnits, isoTime } from '@tender/kernel';
import {
  paymentDecider,
  UNKNOWN_PAYMENT,
  type BuiltTransaction,
  type CreatePayment,
  type IntentPayment,
  type IntentTerms,
  type PaymentCreated,
} from '@tender/payments-domain';
import { checkPayer } from '../build-transaction/check-payer';
import { CREATE_REFUSALS } from '../create-payment/create-refusals';
import { newPayment } from '../create-payment/new-payment';
import { priceOrder } from '../create-payment/price-order';
import { screenConfirmedPayment } from '../screen-payment/screen-payment';
import type { PaymentSettings } from '../settings';
import { firstBuild } from './first-build';
import { paidInto } from './paid-into';

const CENT_PLACES = 2;

/** The payment of an intent, and what its wallet is to sign. */
export interface ReadyPayment {
  readonly paid_by: IntentPayment;
  readonly payment: PaymentCreated['data'];
  readonly build: BuiltTransaction;
}

/**
 * Makes ready all that a confirm needs and that may fail, before anything is written: what is refused, blocked or
 * cannot be had now leaves the intent as it is. Throws 400, 403, 409, 422 and 503.
 */
export async function readyPayment(
  runtime: Runtime,
  settings: PaymentSettings,
  caller: RequestContext,
  terms: IntentTerms,
  body: ConfirmPaymentIntentBody,
): Promise<ReadyPayment> {
  const { customer_wallet, payment_type = 'direct' } = body;
  const metadata = metadataOf(terms, body);
  const payment = await paymentOf(runtime, settings, caller, { ...terms, metadata });
  checkPayer(runtime, payment.terms, { wallet: customer_wallet, field: 'customer_wallet' });
  const command: CreatePayment = {
    ...{ type: 'CreatePayment', payment, amount_max: BigInt(caller.amount_max) },
  };
  const decision = decide(paymentDecider, command, UNKNOWN_PAYMENT);
  if (!decision.ok) throw refusalAnswer(decision, CREATE_REFUSALS);
  await screenConfirmedPayment(runtime, caller, command, customer_wallet);
  const build = await firstBuild(runtime, caller, payment.terms, body);
  const { payment_id, payment_url } = payment.terms;
  const how = { customer_wallet, payment_type, metadata };
  const confirmed_at = isoTime(runtime.clock.now());
  return { paid_by: { payment_id, payment_url, ...how, confirmed_at }, payment, build };
}

/** At the price of this moment. Its id derives from the intent: there is no other payment that it could have (M25). */
async function paymentOf(
  runtime: Runtime,
  settings: PaymentSettings,
  caller: RequestContext,
  terms: IntentTerms,
): Promise<PaymentCreated['data']> {
  const { payment_intent_id, amount_minor, currency, description, metadata } = terms;
  const { wallet, ...held } = await paidInto(runtime, caller, terms);
  const amount = fromUnits(BigInt(amount_minor), CENT_PLACES);
  const order = await priceOrder(runtime.rates, { amount, currency });
  const seed = runtime.keyRing.idBytes(`payment-of-intent|${payment_intent_id}`);
  const payer = { ...caller, wallet, id_seed: seed.subarray(0, 16).toString('hex') };
  const described = description === null ? {} : { description };
  const details = { payment_intent_id, metadata, ...held, ...described };
  return newPayment(runtime, settings, payer, details, order, null);
}

/** What the intent has, with what the confirm adds. */
function metadataOf(
  terms: IntentTerms,
  { metadata }: ConfirmPaymentIntentBody,
): Record<string, unknown> {
  const both = { ...terms.metadata, ...metadata };
  if (isMetadata(both)) return both;
  const message = 'together with that of the intent must have at most 50 keys and 16 KiB';
  throw invalidParameter({ field: 'metadata', message });
}
