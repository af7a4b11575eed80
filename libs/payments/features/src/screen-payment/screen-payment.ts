import {
  screenPayment as screening,
  type RequestContext,
  type ScreeningRequest,
} from '@tender/contracts';
import { customerSubject, NotThisOne, type Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import { decide } from '@tender/kernel';
import {
  paymentAfter,
  paymentDecider,
  UNKNOWN_PAYMENT,
  type CreatePayment,
  type KnownPayment,
} from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

export interface Screening {
  readonly stage: ScreeningRequest['stage'];
  /** At `create` as it is about to be stored. */
  readonly payment: KnownPayment;
  /** The wallet that would pay; null while no wallet is known. */
  readonly customer_wallet: string | null;
  readonly customer_email: string | null;
  readonly asked_by: ScreeningRequest['asked_by'];
  /** Of an intent that is confirmed: it is stored only if it passes each stage, and 403 where it does not. */
  readonly is_confirm?: boolean;
}

/** The request that is screened; no client’s address where another context wants the payment. */
export interface Asker extends Pick<RequestContext, 'command_id' | 'correlation_id'> {
  readonly client_address: string | null;
}

/**
 * The one way in which payments asks fraud, at `create`, `build` and `submit` alike. Returns where the payment may go
 * on. Throws 402 (`create`) or 403 `payment_blocked`, which says nothing but the payment’s id, and `Unavailable` (503)
 * where fraud does not answer in time or may not: there is no payment without a screening (specification §2.11).
 */
export async function screenPayment(
  { calls, eventStore, keyRing }: Pick<Runtime, 'calls' | 'eventStore' | 'keyRing'>,
  asker: Asker,
  { stage, payment: screened, customer_wallet, customer_email, asked_by, is_confirm }: Screening,
): Promise<void> {
  const { terms } = screened;
  const { payment_id, merchant_id, mode } = terms;
  const request: ScreeningRequest = {
    stage,
    ...(is_confirm ? { is_to_be_stored: true } : {}),
    payment: renderPayment(screened, null),
    webhook_url: terms.webhook_url,
    amount_usd_cents: terms.amount_usd_cents,
    customer_wallet,
    customer_email,
    customer_subject:
      customer_email === null
        ? null
        : customerSubject(keyRing, { merchant_id, mode, email: customer_email }),
    asked_by,
    client_address: asker.client_address,
  };
  const command_id = `${asker.command_id}|screen-${stage}`;
  const { correlation_id } = asker;
  const verdict = await calls.ask(screening, request, { mode, correlation_id, command_id });
  if (!verdict.ok)
    throw new NotThisOne('screening', { reason: 'the sanctions list is stale or empty' });
  if (verdict.value.action !== 'block') return;
  // The repeat of a request that has made its payment is answered as it was, whatever fraud has learned since (P7).
  if (stage === 'create' && (await payment.load({ eventStore }, mode, payment_id))) return;
  throw new ApiError(
    stage === 'create' && !is_confirm ? 402 : 403,
    'payment_blocked',
    'This payment cannot be processed. Do not try it again; ask the merchant, and name the payment.',
    { payment_id },
  );
}

/**
 * The same for a payment that is about to be created. What would be refused anyway is no business of fraud, and counts
 * nowhere.
 */
export async function screenNewPayment(
  runtime: Parameters<typeof screenPayment>[0],
  asker: Asker,
  command: CreatePayment,
  known: Pick<Screening, 'customer_email' | 'asked_by'>,
): Promise<void> {
  const decision = decide(paymentDecider, command, UNKNOWN_PAYMENT);
  const [created] = decision.ok ? decision.events : [];
  if (created === undefined) return;
  const payment = paymentAfter(created);
  await screenPayment(runtime, asker, {
    stage: 'create',
    payment,
    customer_wallet: null,
    ...known,
  });
}

/**
 * The same for the payment of an intent that is about to be confirmed for a wallet. It is the merchant's server that
 * asks: its address is looked up, and counts as no customer's.
 */
export async function screenConfirmedPayment(
  runtime: Parameters<typeof screenPayment>[0],
  asker: Asker,
  { payment: data }: CreatePayment,
  customer_wallet: string,
): Promise<void> {
  const payment = paymentAfter({ type: 'PaymentCreated', data });
  const screening = { payment, customer_email: null, asked_by: 'merchant', is_confirm: true } as const;
  await screenPayment(runtime, asker, { ...screening, stage: 'create', customer_wallet: null });
  const unseen = { ...asker, client_address: null };
  await screenPayment(runtime, unseen, { ...screening, stage: 'build', customer_wallet });
}
