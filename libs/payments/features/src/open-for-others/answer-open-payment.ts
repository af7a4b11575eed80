import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  newId,
  openPayment,
  openPaymentLink,
  paymentIds,
  seedOfCall,
  type Claim,
  type LinkClaim,
  type OpenedPayment,
  type OpenedPaymentLink,
  type PaymentClaim,
} from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { ApiError, futureTime, outcomeOf, RUNTIME } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import type { KnownPayment, KnownPaymentLink } from '@tender/payments-domain';
import { describedMerchant } from '../checkout-data/described-merchant';
import { walletNotReady } from '../create-payment/create-refusals';
import { newPaymentLink } from '../create-payment-link/new-payment-link';
import { newPayment } from '../create-payment/new-payment';
import { priceOrder } from '../create-payment/price-order';
import { sealCustomer } from '../customers/customers';
import { payment } from '../payment-details/payment.aggregate';
import { linkNames } from '../payment-links/find-link';
import { paymentLink } from '../payment-links/payment-link.aggregate';
import { screenNewPayment } from '../screen-payment/screen-payment';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';
import { originOfCall } from './origin-of-call';

/**
 * Makes payments and links that another context wants, in ways that no public route offers. Asked again, it answers
 * what it has made, whatever that has become: a time that lay ahead when it was made may have passed.
 */
@Injectable()
export class AnswerOpenPayment implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  onModuleInit(): void {
    const { calls } = this.runtime;
    calls.answer(openPayment, (claim, asked) => outcomeOf(() => this.payment(claim, asked)));
    calls.answer(openPaymentLink, (claim, asked) => outcomeOf(() => this.link(claim, asked)));
  }

  private async payment(claim: PaymentClaim, asked: Asked): Promise<OpenedPayment> {
    const { runtime } = this;
    const owner = await this.ownerOf(claim, asked);
    const { mode } = owner;
    const made = await payment.load(runtime, mode, newId(paymentIds, mode, seedOf(owner)));
    if (made !== null) return openedPayment(made);
    const order = await priceOrder(runtime.rates, claim);
    const customer = claim.customer ? await sealCustomer(runtime, owner, claim.customer) : null;
    const expires_at = futureTime('expires_at', claim.expires_at, runtime.clock.now());
    const details = { ...claim, expires_at };
    const wanted = newPayment(runtime, this.settings, owner, details, order, customer);
    const { payment_id } = wanted.terms;
    const amount_max = BigInt(owner.amount_max);
    const command = { type: 'CreatePayment', payment: wanted, amount_max } as const;
    const origin = originOfCall(asked, owner.merchant_id, customer ? [customer.subject_id] : []);
    const asker = { ...origin, client_address: null };
    const customer_email = claim.customer?.email ?? null;
    await screenNewPayment(runtime, asker, command, { customer_email, asked_by: 'merchant' });
    const handled = await payment.handle(runtime, owner.mode, payment_id, command, origin);
    if (!handled.ok) throw new ApiError(422, handled.refusal, handled.refusal);
    return openedPayment(handled.state);
  }

  private async link(claim: LinkClaim, asked: Asked): Promise<OpenedPaymentLink> {
    const { runtime } = this;
    const owner = await this.ownerOf(claim, asked);
    const { payment_link_id } = linkNames(owner.mode, seedOf(owner));
    const made = await paymentLink.load(runtime, owner.mode, payment_link_id);
    if (made !== null) return openedLink(made);
    const link = await newPaymentLink(runtime, this.settings, owner, claim);
    const amount_max = BigInt(owner.amount_max);
    const command = { type: 'CreatePaymentLink', link, amount_max } as const;
    const subject_ids = link.customer ? [link.customer.subject_id] : [];
    const origin = originOfCall(asked, owner.merchant_id, subject_ids);
    const handled = await paymentLink.handle(runtime, owner.mode, payment_link_id, command, origin);
    if (!handled.ok) throw new ApiError(422, handled.refusal, handled.refusal);
    return openedLink(handled.state);
  }

  /** As the gateway would know it of a request; the ids of what is made derive from the command. */
  private async ownerOf({ merchant_id }: Claim, { mode, command_id, correlation_id }: Asked) {
    const of = { mode: mode as Mode, correlation_id };
    const merchant = await describedMerchant(this.runtime, merchant_id, of);
    const { wallet, amount_max } = merchant;
    if (wallet === null) throw walletNotReady();
    invariant(command_id, 'a call that changes something names its command');
    const seed = seedOfCall(this.runtime.keyRing, { merchant_id }, command_id);
    const id_seed = Buffer.from(seed).toString('hex');
    return { merchant_id, mode: of.mode, wallet, amount_max, id_seed };
  }
}

const seedOf = ({ id_seed }: { readonly id_seed: string }): Buffer => Buffer.from(id_seed, 'hex');

const openedPayment = ({ terms }: KnownPayment): OpenedPayment => {
  const { payment_id, payment_url, expires_at } = terms;
  return { payment_id, payment_url, expires_at };
};

const openedLink = ({ terms }: KnownPaymentLink): OpenedPaymentLink => {
  const { payment_link_id, link_code, hosted_page_url } = terms;
  return { payment_link_id, link_code, hosted_page_url };
};
