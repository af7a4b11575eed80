import { Inject, Injectable } from '@nestjs/common';
import { newId, paymentIds, type MerchantProfile, type RequestContext } from '@tender/contracts';
import { InTurn, ownEvent, type Position, type Runtime } from '@tender/eventing';
import { addressHash, refusalAnswer, RUNTIME } from '@tender/http';
import { fromUnits, invariant, isoTime } from '@tender/kernel';
import {
  openPaymentOf,
  unpayable,
  type CreatePayment,
  type KnownPayment,
  type KnownPaymentLink,
  type PaymentCreated,
  type PaymentLinkEvent,
} from '@tender/payments-domain';
import { describedMerchant } from '../checkout-data/described-merchant';
import { CREATE_REFUSALS, walletNotReady } from '../create-payment/create-refusals';
import { newPayment } from '../create-payment/new-payment';
import { priceOrder, type PricedOrder } from '../create-payment/price-order';
import { openEmail } from '../customers/customers';
import { payment } from '../payment-details/payment.aggregate';
import { findLink } from '../payment-links/find-link';
import { paymentLink } from '../payment-links/payment-link.aggregate';
import { screenNewPayment } from '../screen-payment/screen-payment';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';
import { heldPayment } from './held-payment';
import { HOLD_REFUSALS, linkGone, refuseGone } from './link-refusals';
import { makeHeldPayment } from './make-held-payment';

/** A payment by a link, and whether this request began it. */
export interface Begun {
  readonly payment: KnownPayment;
  readonly is_new: boolean;
  /** What the request has appended, now or when it was sent before; null where it goes on with an open payment. */
  readonly appended: { readonly position: Position | null; readonly repeated: boolean } | null;
}

const CENT_PLACES = 2;

/** Makes the payments of links. */
@Injectable()
export class PayByLink {
  /** Also for those who give uses back. */
  readonly in_turn = new InTurn();

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  /** `name`: a code or an id. Throws 402, 404, 409, 410, 422 and, where a rate is too old or fraud is silent, 503. */
  async begin(
    caller: RequestContext,
    name: string,
  ): Promise<Begun & { readonly merchant: MerchantProfile }> {
    const link = await findLink(this.runtime, caller.mode, name);
    const merchant = await describedMerchant(this.runtime, link.terms.merchant_id, caller);
    return { ...(await this.beginFor(caller, link, merchant)), merchant };
  }

  private async beginFor(
    caller: RequestContext,
    link: KnownPaymentLink,
    merchant: MerchantProfile,
  ): Promise<Begun> {
    const now_ms = this.runtime.clock.now();
    const now = isoTime(now_ms);
    const open = openPaymentOf(link, now);
    if (open !== null) return this.goOn(caller, link, open);
    const gone = isHeldFor(caller, link) ? null : unpayable(link, now);
    if (gone) throw linkGone(gone, now_ms);
    const { wallet } = merchant;
    if (wallet === null) throw walletNotReady();
    const { currency, token, amount_minor } = link.terms;
    const amount = fromUnits(BigInt(amount_minor), CENT_PLACES);
    const order = await priceOrder(this.runtime.rates, { amount, currency, token });
    const payer = { ...caller, merchant_id: merchant.merchant_id, wallet };
    const wish = await this.wishOf(payer, link, order, BigInt(merchant.amount_max));
    return link.terms.max_uses === null
      ? this.pay(payer, wish)
      : this.payHeld(payer, link, wish);
  }

  /** The command that makes the payment of a request; screened, once for each payment that it may make. */
  private async wishOf(
    payer: Payer,
    link: KnownPaymentLink,
    order: PricedOrder,
    amount_max: bigint,
  ): Promise<PaymentWish> {
    const customer_email = await openEmail(this.runtime, link.customer);
    const wish = async (asked: Payer): Promise<CreatePayment> => {
      const wanted = this.paymentOf(asked, link, order);
      const command = { type: 'CreatePayment', payment: wanted, amount_max } as const;
      const asker = { ...asked, client_address: asked.client_address || null };
      await screenNewPayment(this.runtime, asker, command, { customer_email, asked_by: 'customer' });
      return command;
    };
    // Before its turn comes: a use is held for nothing that is blocked, and no other waits for the answer of fraud.
    const first = await wish(payer);
    return async (asked) => (asked.command_id === payer.command_id ? first : wish(asked));
  }

  /** One append, and none to the link: however often it is paid, it costs the same. */
  private async pay(payer: Payer, wish: PaymentWish): Promise<Begun> {
    const { handled } = await payment.request(this.runtime, payer, async (asked) => {
      const command = await wish(asked);
      const { payment_id } = command.payment.terms;
      return { id: payment_id, command, subject_ids: subjectsOf(command.payment) };
    });
    if (!handled.ok) throw refusalAnswer(handled, CREATE_REFUSALS);
    return { payment: handled.state, is_new: true, appended: handled };
  }

  /** The use is taken before the payment exists: what is not taken makes none (M10). */
  private async payHeld(
    payer: Payer,
    link: KnownPaymentLink,
    wish: PaymentWish,
  ): Promise<Begun> {
    const { payment_link_id, mode } = link.terms;
    const scope = `payments.link-holder|${payment_link_id}`;
    const holder = {
      held_by: addressHash(this.runtime.keyRing, scope, payer.client_address),
      holds_max: this.settings.link_uses_held_per_address,
    };
    const { handled } = await this.in_turn.run(payment_link_id, () =>
      paymentLink.request(this.runtime, payer, async (asked) => {
        const { payment: wanted, amount_max } = await wish(asked);
        const now = isoTime(this.runtime.clock.now());
        return {
          id: payment_link_id,
          command: { type: 'HoldLinkUse', payment: wanted, amount_max, now, holder } as const,
          subject_ids: subjectsOf(wanted),
        };
      }),
    );
    if (!handled.ok && handled.refusal === 'payment_open') {
      const open = handled.details?.['payment_id'] as string;
      return this.goOn(payer, link, open);
    }
    refuseGone(handled, this.runtime.clock.now());
    if (!handled.ok) throw refusalAnswer(handled, HOLD_REFUSALS);
    const [taken] = handled.events;
    invariant(taken, 'who may pay holds a use');
    const hold = ownEvent<PaymentLinkEvent>(taken);
    invariant(hold.type === 'LinkUseHeld', 'a use is taken by a hold');
    const held = { payment: hold.data.payment, actor: taken.metadata.actor };
    const made = await makeHeldPayment(this.runtime, mode, held, payer.correlation_id);
    return { payment: made, is_new: true, appended: handled };
  }

  /** With the open payment, which may be held and not made yet. */
  private async goOn(
    { correlation_id }: RequestContext,
    { terms }: KnownPaymentLink,
    payment_id: string,
  ): Promise<Begun> {
    const { mode, payment_link_id } = terms;
    const known = await payment.load(this.runtime, mode, payment_id);
    if (known) return { payment: known, is_new: false, appended: null };
    const wanted = await heldPayment(this.runtime, mode, payment_link_id, payment_id);
    invariant(wanted, `the link ${payment_link_id} holds its use for ${payment_id}`);
    const made = await makeHeldPayment(this.runtime, mode, wanted, correlation_id);
    return { payment: made, is_new: false, appended: null };
  }

  private paymentOf(
    caller: Payer,
    { terms, customer }: KnownPaymentLink,
    order: PricedOrder,
  ): PaymentCreated['data'] {
    const { payment_link_id, link_code, payments_expire_at, collect_customer_info } = terms;
    return newPayment(
      this.runtime,
      this.settings,
      caller,
      {
        metadata: terms.metadata as Record<string, unknown>,
        ...shopFields(terms),
        link: { payment_link_id, link_code },
        collect_customer_info: collect_customer_info && customer === null,
        expires_at: payments_expire_at,
      },
      order,
      customer,
    );
  }
}

type Payer = RequestContext & { readonly wallet: string };
type PaymentWish = (asked: Payer) => Promise<CreatePayment>;

/** A repeat of the request that took the last use: it gets the payment of its hold. */
const isHeldFor = ({ mode, id_seed }: RequestContext, { holds }: KnownPaymentLink): boolean =>
  holds[newId(paymentIds, mode, Buffer.from(id_seed, 'hex'))] !== undefined;

const subjectsOf = ({ customer }: PaymentCreated['data']): readonly string[] =>
  customer ? [customer.subject_id] : [];

/** What the shop has said of the order, as far as it has. */
const shopFields = (terms: KnownPaymentLink['terms']) => {
  const { description, external_id, return_url, cancel_url } = terms;
  return {
    ...(description === null ? {} : { description }),
    ...(external_id === null ? {} : { external_id }),
    ...(return_url === null ? {} : { return_url }),
    ...(cancel_url === null ? {} : { cancel_url }),
  };
};
