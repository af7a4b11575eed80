import { IsIn, IsInt, IsNumber, IsString } from 'class-validator';
import { CURRENCIES, TOKENS, type Currency, type Token } from '@tender/kernel';
import { fact } from './fact';
import { IsTime, OrNull, without } from './validation';

/** A payment link as merchants hear of it. */
export class PaymentLinkCreatedFact {
  @IsString() payment_link_id!: string;
  @IsString() link_code!: string;
  @IsNumber() amount!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @IsIn(TOKENS) token!: Token;
  @OrNull() @IsInt() max_uses!: number | null;
  @OrNull() @IsTime() expires_at!: string | null;
  @IsString() hosted_page_url!: string;
  @IsString() merchant_id!: string;
}
class PaymentLinkCreatedData extends without(PaymentLinkCreatedFact, 'merchant_id') {}

/** A payment of a link is confirmed. */
export class PaymentLinkUsedFact {
  @IsString() payment_link_id!: string;
  @IsString() link_code!: string;
  @IsString() payment_id!: string;
  @IsNumber() amount!: number;
  @IsIn(TOKENS) token!: Token;
  /** Payments of the link that are pending or confirmed. */
  @IsInt() uses_count!: number;
  @IsString() merchant_id!: string;
}
class PaymentLinkUsedData extends without(PaymentLinkUsedFact, 'merchant_id') {}

/** A use of a link with `max_uses` is taken; its payment is made next. */
export class LinkUseHeldFact {
  @IsString() payment_link_id!: string;
  @IsString() payment_id!: string;
}

export const paymentLinkCreated = fact('payments.payment-link-created.v1', {
  data: PaymentLinkCreatedFact,
  webhook: {
    name: 'PaymentLinkCreated',
    fills: { data: [PaymentLinkCreatedData, (link) => link] },
    resource: ({ payment_link_id, merchant_id }) => ({
      resource_id: payment_link_id,
      merchant_id,
      payment_id: null,
      webhook_url: null,
    }),
  },
});

export const paymentLinkUsed = fact('payments.payment-link-used.v1', {
  data: PaymentLinkUsedFact,
  webhook: {
    name: 'PaymentLinkUsed',
    fills: { data: [PaymentLinkUsedData, (use) => use] },
    resource: ({ payment_link_id, merchant_id, payment_id }) => ({
      resource_id: payment_link_id,
      merchant_id,
      payment_id,
      webhook_url: null,
    }),
  },
});

export const linkUseHeld = fact('payments.link-use-held.v1', { data: LinkUseHeldFact });

export const paymentLinksFacts = [paymentLinkCreated, paymentLinkUsed, linkUseHeld] as const;
