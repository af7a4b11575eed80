import { call, commandCall, type Currency, type Mode, type Token } from '@tender/kernel';
import type { Customer } from './customer';
import { codeIds } from './object-ids';
import { DOCUMENT_ROUTE, FORM_ROUTE, PAGE_ROUTE } from './page-route';
import { paymentIds } from './payment-ids';
import type { PaymentStatus } from './payments.facts';
import type { ReceiptReason } from './receipts.facts';
import type { RequestContext } from './request-context';
import { route } from './route';

/** What every page of the hosted checkout says of what is to be paid. Personal data is masked. */
interface Payable {
  readonly merchant_name: string;
  readonly support_email: string;
  readonly mode: Mode;
  readonly solana_network: string;
  /** In `currency`. */
  readonly amount: number;
  readonly currency: Currency;
  readonly token: Token;
  readonly description: string | null;
  readonly return_url: string | null;
  readonly cancel_url: string | null;
  /** Customer info is to be sent before a transaction is built. */
  readonly collect_customer_info: boolean;
  readonly customer: { readonly email: string; readonly name: string | null } | null;
}

/** What a link is to a customer. `held`: open payments take all that it has left, which may become free. */
export type LinkOpenness = 'active' | 'held' | 'expired' | 'exhausted' | 'closed';

export interface LinkToShow extends Payable {
  readonly kind: 'link';
  readonly link_code: string;
  readonly status: LinkOpenness;
  /** Of one that is held: when the first of the open payments expires. */
  readonly free_at: string | null;
}

/** Money that named a payment and did not pay it. */
export interface StrayMoney {
  readonly reason: ReceiptReason;
  /** Null for a mint that Tender does not take. */
  readonly token: string | null;
  /** Base units. */
  readonly amount: string;
}

export interface PaymentToShow extends Payable {
  readonly kind: 'payment';
  readonly payment_id: string;
  readonly status: PaymentStatus;
  readonly transaction_signature: string | null;
  /** Base units. */
  readonly token_amount: string;
  /** A Solana Pay URI. */
  readonly qr_code: string;
  readonly payment_url: string;
  readonly expires_at: string;
  readonly allow_gasless: boolean;
  readonly link_code: string | null;
  /** Of the link that has made it. */
  readonly link_status: LinkOpenness | null;
  /** Newest last. */
  readonly stray_money: readonly StrayMoney[];
}

/** payments: what the page of a link shows; null when there is no such link. */
export const showLink = call<{ link_code: string }, LinkToShow | null>('payments.show-link');

/** payments: what the page of a payment shows; null when there is no such payment. */
export const showPayment = call<{ payment_id: string }, PaymentToShow | null>('payments.show-payment');

/** What a customer without scripts asks for by a form: as the gateway has admitted it, under the ids of its request. */
export interface Admitted {
  readonly caller: RequestContext;
}

/** payments: the payment of a request by a link, as `POST /payment-links/{code}/pay` makes it. Refuses by its codes. */
export const payByLink = commandCall<
  Admitted & { readonly link_code: string },
  { readonly payment_id: string },
  string
>('payments.pay-by-link', { deadline_ms: 5_000, answered_by: 'any' });

/** payments: who pays, as `POST /payments/{id}/customer-info` takes it. Refuses by its codes. */
export const tellCustomer = commandCall<
  Admitted & { readonly payment_id: string; readonly customer: Customer },
  { readonly payment_id: string },
  string
>('payments.tell-customer', { deadline_ms: 5_000, answered_by: 'any' });

export const readLinkPage = route({
  ...PAGE_ROUTE,
  id: 'readLinkPage',
  path: '/l/{link_code}',
  summary: 'The page on which a customer pays by a link; it stores nothing',
});

export const readPaymentPage = route({
  ...PAGE_ROUTE,
  id: 'readPaymentPage',
  path: '/p/{id}',
  summary: 'The page on which a customer pays a payment; it stores nothing',
});

export const payLinkByForm = route({
  ...FORM_ROUTE,
  id: 'payLinkByForm',
  path: '/l/{link_code}',
  objects: { link_code: codeIds },
  refusals: ['payment_blocked', 'wallet_not_ready', 'amount_too_large', 'too_many_open_payments'],
  summary: 'Begin a payment by a link, without a script; leads to the page of the payment',
});

export const tellCustomerByForm = route({
  ...FORM_ROUTE,
  id: 'tellCustomerByForm',
  path: '/p/{id}',
  objects: { id: paymentIds },
  refusals: [],
  summary: 'Who pays, without a script; leads back to the page of the payment',
});

export const readPageAsset = route({
  ...DOCUMENT_ROUTE,
  id: 'readPageAsset',
  path: '/checkout/assets/{name}',
  limit: 'none',
  summary: 'A script of the checkout pages, under the hash of what it holds',
});

export const readIcon = route({
  ...DOCUMENT_ROUTE,
  id: 'readIcon',
  path: '/icon.svg',
  limit: 'none',
  refusals: [],
  summary: 'The picture that wallets show beside a payment, and browsers beside a page',
});

export const checkoutPagesRoutes = [
  readLinkPage,
  readPaymentPage,
  payLinkByForm,
  tellCustomerByForm,
  readPageAsset,
  readIcon,
] as const;
