import { newId, paymentIds, type CreatePaymentBody, type RequestContext } from '@tender/contracts';
import { customerSubject, type Runtime } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import type {
  HoldTerms,
  LinkOfPayment,
  PaymentCreated,
  PaymentTerms,
  SealedCustomer,
} from '@tender/payments-domain';
import bs58 from 'bs58';
import type { PaymentSettings } from '../settings';
import type { PricedOrder } from './price-order';

/** What an order may say of itself, whether a merchant, a link or another context makes it. */
type PaymentDetails = Pick<
  CreatePaymentBody,
  'description' | 'metadata' | 'webhook_url' | 'external_id' | 'return_url' | 'cancel_url'
> & {
  readonly link?: LinkOfPayment;
  readonly payment_intent_id?: string;
  readonly collect_customer_info?: boolean;
  readonly hold?: HoldTerms;
  /** ISO 8601; without it after the lifetime that payments have. */
  readonly expires_at?: string | null;
};

/** All that is fixed at creation. The id and the reference derive from the request (ADR 0003). */
export function newPayment(
  { keyRing, chains, clock }: Pick<Runtime, 'keyRing' | 'chains' | 'clock'>,
  settings: PaymentSettings,
  caller: Pick<RequestContext, 'merchant_id' | 'mode' | 'id_seed'> & { readonly wallet: string },
  body: PaymentDetails,
  order: PricedOrder,
  customer: SealedCustomer | null,
): PaymentCreated['data'] {
  const { merchant_id, mode } = caller;
  const payment_id = newId(paymentIds, mode, Buffer.from(caller.id_seed, 'hex'));
  const now_ms = clock.now();
  // Asked whatever the token: a network that is not taken confirms no payment at all.
  const { mints } = chains[mode];
  return {
    terms: {
      payment_id,
      merchant_id,
      mode,
      amount_minor: order.amount_minor.toString(),
      currency: order.currency,
      amount_usd_cents: order.amount_usd_cents.toString(),
      quotes: order.quotes,
      token: order.token,
      token_amount: order.token_amount.toString(),
      token_mint: order.token === 'SOL' ? null : mints[order.token],
      wallet_address: caller.wallet,
      reference: bs58.encode(keyRing.idBytes(`reference|${payment_id}`)),
      description: body.description ?? null,
      metadata: body.metadata ?? {},
      webhook_url: body.webhook_url ?? null,
      payment_url: `${settings.checkout_url}/p/${payment_id}`,
      ...optionalTerms(body),
      created_at: isoTime(now_ms),
      expires_at: body.expires_at ?? isoTime(now_ms + settings.payment_lifetime_ms),
    },
    customer,
  };
}

/** Only what there is: most payments have none of it, and events are kept for ever. */
const optionalTerms = ({
  external_id,
  return_url,
  cancel_url,
  link,
  payment_intent_id,
  collect_customer_info,
  hold,
}: PaymentDetails): Partial<PaymentTerms> => ({
  ...(external_id == null ? {} : { external_id }),
  ...(return_url == null ? {} : { return_url }),
  ...(cancel_url == null ? {} : { cancel_url }),
  ...(link ? { link } : {}),
  ...(hold ? { hold } : {}),
  ...(payment_intent_id === undefined ? {} : { payment_intent_id }),
  ...(collect_customer_info ? { collect_customer_info } : {}),
});

/** The e-mail is sealed under a key of that customer of that merchant, so that it can be erased. */
export async function sealedCustomer(
  { keyRing }: Pick<Runtime, 'keyRing'>,
  { merchant_id, mode }: Pick<RequestContext, 'merchant_id' | 'mode'>,
  email: string | null | undefined,
): Promise<SealedCustomer | null> {
  if (email == null) return null;
  const trimmed = email.trim();
  const subject_id = customerSubject(keyRing, { merchant_id, mode, email: trimmed });
  return { subject_id, email_sealed: await keyRing.sealPersonal(subject_id, trimmed) };
}
