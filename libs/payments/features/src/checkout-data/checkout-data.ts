import { Inject, Injectable } from '@nestjs/common';
import type { CheckoutDataAnswer, MerchantProfile } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import type { KnownPayment } from '@tender/payments-domain';
import { maskedCustomer, openCustomer } from '../customers/customers';
import { renderPayment } from '../payment-details/render-payment';
import { SponsoredFees } from './sponsored-fees';

/** A payment as its customer sees it: personal data masked, nothing that is the shop’s alone (specification §2.4). */
@Injectable()
export class CheckoutData {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SponsoredFees) private readonly fees: SponsoredFees,
  ) {}

  async of(payment: KnownPayment, merchant: MerchantProfile): Promise<CheckoutDataAnswer> {
    const { chains, keyRing } = this.runtime;
    const shown = renderPayment(payment, merchant.name);
    const customer = await openCustomer({ keyRing }, payment.customer);
    return {
      payment_id: shown.id,
      merchant_name: merchant.name,
      merchant_id: shown.merchant_id,
      support_email: merchant.support_email,
      amount: shown.amount,
      amount_usd: shown.amount_usd,
      currency: shown.currency,
      token: shown.payment_token,
      token_amount: shown.token_amount,
      token_mint: shown.token_mint,
      description: shown.description,
      qr_code: shown.qr_code,
      payment_url: shown.payment_url,
      wallet_address: shown.wallet_address,
      reference: shown.reference,
      expires_at: shown.expires_at,
      status: shown.status,
      mode: shown.mode,
      solana_network: chains[shown.mode].network,
      onramp: false,
      amount_ngn: null,
      service_charge_ngn: null,
      payment_link_id: shown.payment_link_id,
      link_code: shown.link_code,
      collect_customer_info: payment.terms.collect_customer_info ?? false,
      customer_data: customer && maskedCustomer(customer),
      // Whether it is paid for this very customer is known when a transaction is built.
      allow_gasless: this.fees.arePaid(shown.mode),
    };
  }
}
