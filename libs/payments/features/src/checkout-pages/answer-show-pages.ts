import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  codeIds,
  modeOf,
  paymentIds,
  showLink,
  showPayment,
  uuidOfCode,
  type CheckoutDataAnswer,
  type LinkOpenness,
  type LinkToShow,
  type PaymentLinkAnswer,
  type PaymentToShow,
  type StrayMoney,
} from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { ApiError, RUNTIME } from '@tender/http';
import { isoTime, type Mode } from '@tender/kernel';
import {
  checkoutOf,
  linkStatusAt,
  openPaymentOf,
  unpayable,
  type KnownPaymentLink,
  type ReceiptRecorded,
} from '@tender/payments-domain';
import { CheckoutData } from '../checkout-data/checkout-data';
import { describedMerchant } from '../checkout-data/described-merchant';
import { maskedCustomer, openCustomer } from '../customers/customers';
import { payment } from '../payment-details/payment.aggregate';
import { findLink } from '../payment-links/find-link';
import { paymentLink } from '../payment-links/payment-link.aggregate';
import { renderPaymentLink } from '../payment-links/render-payment-link';
import { renderReceipt } from '../receipts/render-receipt';

/** As many as a page has room for. */
const STRAY_MONEY_MAX = 20;
const NEWEST_RECEIPTS = `select state from payments.receipts where payment_id = $1 and mode = $2
  order by created_at desc, id desc limit ${STRAY_MONEY_MAX}`;

/** Tells the checkout pages what to show: what customers see, and nothing that is the shop's alone. */
@Injectable()
export class AnswerShowPages implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutData) private readonly checkout: CheckoutData,
  ) {}

  onModuleInit(): void {
    const { calls } = this.runtime;
    calls.answer(showLink, ({ link_code }, asked) => this.link(link_code, asked));
    calls.answer(showPayment, ({ payment_id }, asked) => this.payment(payment_id, asked));
  }

  private async link(link_code: string, asked: Asked): Promise<LinkToShow | null> {
    const mode = modeOf(codeIds, link_code);
    const link = mode && (await findLink(this.runtime, mode, link_code).catch(nullIfUnknown));
    if (!link) return null;
    const { merchant_id } = link.terms;
    const merchant = await describedMerchant(this.runtime, merchant_id, { ...asked, mode });
    const known = await openCustomer(this.runtime, link.customer);
    const customer = known && maskedCustomer(known);
    const now = isoTime(this.runtime.clock.now());
    const shown = renderPaymentLink(link, { uses: 0, customer, now, to_owner: false });
    return {
      kind: 'link',
      ...sharedBy(shown),
      merchant_name: merchant.name,
      support_email: merchant.support_email,
      solana_network: this.runtime.chains[mode].network,
      link_code,
      ...opennessOf(link, now),
      return_url: shown.return_url,
      cancel_url: shown.cancel_url,
    };
  }

  /** From the stream: the page that asks may have changed it a moment ago. */
  private async payment(payment_id: string, asked: Asked): Promise<PaymentToShow | null> {
    const mode = modeOf(paymentIds, payment_id);
    const known = mode && (await payment.load(this.runtime, mode, payment_id));
    if (!known) return null;
    const { return_url = null, cancel_url = null, merchant_id } = known.terms;
    const merchant = await describedMerchant(this.runtime, merchant_id, { ...asked, mode });
    const shown = await this.checkout.of(known, merchant);
    return {
      kind: 'payment',
      ...sharedBy(shown),
      merchant_name: shown.merchant_name,
      support_email: shown.support_email,
      ...{ return_url, cancel_url },
      payment_id,
      status: shown.status,
      transaction_signature: known.transaction_signature ?? checkoutOf(known).in_flight,
      solana_network: shown.solana_network,
      token_amount: shown.token_amount,
      qr_code: shown.qr_code,
      payment_url: shown.payment_url,
      expires_at: shown.expires_at,
      allow_gasless: shown.allow_gasless,
      link_code: shown.link_code,
      link_status: await this.linkStatus(mode, shown.link_code),
      stray_money: await this.strayMoney(mode, payment_id),
    };
  }

  /** From the row: a link that is used often has a long stream, and paying by it decides anyway. */
  private async linkStatus(mode: Mode, link_code: string | null): Promise<LinkOpenness | null> {
    const id = link_code === null ? null : uuidOfCode(link_code);
    const link = id === null ? null : await paymentLink.read(this.runtime, mode, id, null);
    return link && opennessOf(link, isoTime(this.runtime.clock.now())).status;
  }

  private async strayMoney(mode: Mode, payment_id: string): Promise<StrayMoney[]> {
    const rows = await this.runtime.readModels.query<{ state: ReceiptRecorded['data'] }>(
      NEWEST_RECEIPTS,
      [payment_id, mode],
    );
    return rows.reverse().map(({ state }) => {
      const { reason, token, amount } = renderReceipt(state);
      return { reason, token, amount };
    });
  }
}

const nullIfUnknown = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
};

/** As the link's `pay` answers: an open payment of a link for one thing is there for every customer who comes. */
function opennessOf(
  link: KnownPaymentLink,
  now: string,
): { readonly status: LinkOpenness; readonly free_at: string | null } {
  if (openPaymentOf(link, now) !== null) return { status: 'active', free_at: null };
  const free_at = unpayable(link, now)?.details?.['free_at'];
  if (typeof free_at === 'string') return { status: 'held', free_at };
  return { status: linkStatusAt(link, now), free_at: null };
}

/** What a link and a payment say alike. */
const sharedBy = ({
  mode,
  amount,
  currency,
  token,
  description,
  collect_customer_info,
  customer_data,
}: CheckoutDataAnswer | PaymentLinkAnswer) => ({
  ...{ mode, amount, currency, token, description, collect_customer_info },
  customer: customer_data && { email: customer_data.email, name: customer_data.name },
});
