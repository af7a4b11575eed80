import type { CreatePaymentLinkBody, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { futureTime, minorUnits } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { LinkTerms, PaymentLinkCreated } from '@tender/payments-domain';
import { sealCustomer } from '../customers/customers';
import { linkNames } from '../payment-links/find-link';
import type { PaymentSettings } from '../settings';

/** What only another context may ask of a link. */
export interface LinkDuties {
  readonly payments_expire_at?: string;
  readonly is_for_one_thing?: boolean;
}

type WantedLink = Omit<CreatePaymentLinkBody, 'onramp' | 'payer_service_charge'> & LinkDuties;

/** All that is fixed at creation. Both names derive from the request (ADR 0003). Throws 400. */
export async function newPaymentLink(
  { keyRing, clock }: Pick<Runtime, 'keyRing' | 'clock'>,
  settings: PaymentSettings,
  owner: Pick<RequestContext, 'merchant_id' | 'mode' | 'id_seed'>,
  body: WantedLink,
): Promise<PaymentLinkCreated['data']> {
  const { merchant_id, mode, id_seed } = owner;
  const now_ms = clock.now();
  const names = linkNames(mode, Buffer.from(id_seed, 'hex'));
  const customer = body.customer ? await sealCustomer({ keyRing }, owner, body.customer) : null;
  const has_one_use = customer !== null || body.is_for_one_thing === true;
  const link: LinkTerms = {
    ...names,
    merchant_id,
    mode,
    amount_minor: minorUnits(body.amount).toString(),
    currency: body.currency ?? 'USD',
    token: body.token ?? 'USDC',
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    max_uses: has_one_use ? 1 : (body.max_uses ?? null),
    expires_at: futureTime('expires_at', body.expires_at, now_ms),
    collect_customer_info: body.collect_customer_info ?? false,
    external_id: body.external_id ?? null,
    return_url: body.return_url ?? null,
    cancel_url: body.cancel_url ?? null,
    hosted_page_url: `${settings.checkout_url}/l/${names.link_code}`,
    payments_expire_at: futureTime('payments_expire_at', body.payments_expire_at, now_ms),
    is_for_one_thing: body.is_for_one_thing ?? false,
    created_at: isoTime(now_ms),
  };
  return { link, customer };
}
