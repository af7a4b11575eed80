import type { OpenedCharge } from '@tender/billing-domain';
import {
  openPaymentLink,
  payByLink,
  type ClaimRefusal,
  type LinkClaim,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { done, type Mode, type Outcome } from '@tender/kernel';

export interface WantedCharge {
  readonly mode: Mode;
  readonly correlation_id: string;
  readonly object_id: string;
  /** Tells the charges of the object apart: asked again for the same one, the link is the same. */
  readonly charge: string;
  /** `payments_expire_at` is when its time is over; the link ends then, too. */
  readonly claim: Omit<LinkClaim, 'is_for_one_thing' | 'expires_at'>;
}

/** Opens the link of a charge. What payments does not take stays unpaid until its time is over. */
export async function openCharge(
  { calls, log }: Pick<Runtime, 'calls' | 'log'>,
  { mode, correlation_id, object_id, charge, claim }: WantedCharge,
): Promise<Outcome<OpenedCharge, ClaimRefusal>> {
  const command_id = `billing.charge|${object_id}|${charge}`;
  const until = claim.payments_expire_at;
  const asked = { ...claim, is_for_one_thing: true, ...(until ? { expires_at: until } : {}) };
  const opened = await calls.ask(openPaymentLink, asked, { mode, correlation_id, command_id });
  if (!opened.ok) {
    const { refusal, details } = opened;
    log.warn({ object_id, charge, refusal, details }, 'a charge has no link: payments refuses it');
    return opened;
  }
  const { payment_link_id, hosted_page_url } = opened.value;
  return done({ payment_link_id, payment_id: null, payment_url: hosted_page_url });
}

/** The payment of a charge for a customer who asks: the open one, if there is one. Refuses by the codes of payments. */
export const payCharge = (
  { calls }: Pick<Runtime, 'calls'>,
  caller: RequestContext,
  { payment_link_id }: OpenedCharge,
): Promise<Outcome<{ readonly payment_id: string }, string>> =>
  calls.ask(payByLink, { caller, link_code: payment_link_id }, caller);

/** The same before any customer asks: it waits, so that the merchant sees what is due. Null: payments refuses it. */
export async function beginPayment(
  runtime: Pick<Runtime, 'calls' | 'keyRing' | 'log'>,
  { mode, correlation_id }: Pick<WantedCharge, 'mode' | 'correlation_id'>,
  opened: OpenedCharge,
): Promise<string | null> {
  const command_id = `billing.begin-payment|${opened.payment_link_id}`;
  const id_seed = Buffer.from(runtime.keyRing.idBytes(command_id)).subarray(0, 16).toString('hex');
  const caller: RequestContext = {
    ...{ merchant_id: '', mode, merchant_name: '', wallet: null, amount_max: 0 },
    ...{ actor: 'system:billing', asker: { kind: 'public' }, client_address: '' },
    ...{ command_id, id_seed, body_hash: '', correlation_id, min_position: null },
  };
  const begun = await payCharge(runtime, caller, opened);
  if (begun.ok) return begun.value.payment_id;
  const { payment_link_id } = opened;
  runtime.log.warn({ payment_link_id, refusal: begun.refusal }, 'a charge has no payment yet');
  return null;
}
