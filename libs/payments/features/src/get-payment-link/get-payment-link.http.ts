import { Controller, Inject, Param } from '@nestjs/common';
import { getPaymentLink, type PaymentLinkAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { maskedCustomer, openCustomer, wholeCustomer } from '../customers/customers';
import { findLink, linkNotFound } from '../payment-links/find-link';
import { countLinkUses } from '../payment-links/link-uses.projection';
import { renderPaymentLink } from '../payment-links/render-payment-link';

const WAIT_MS_MAX = 500;

@Controller()
export class GetPaymentLinkHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Without a key as its customers see it; with one only its merchant finds it. */
  @Serves(getPaymentLink)
  async get(
    @Caller() { mode, merchant_id, asker }: RequestContext,
    @Param('link_code') name: string,
  ): Promise<PaymentLinkAnswer> {
    const link = await findLink(this.runtime, mode, name);
    const { terms } = link;
    const to_owner = asker.kind !== 'public';
    if (to_owner && terms.merchant_id !== merchant_id) throw linkNotFound();
    const uses =
      terms.max_uses === null
        ? await countLinkUses(this.runtime, mode, terms.payment_link_id, WAIT_MS_MAX)
        : 0;
    const known = await openCustomer(this.runtime, link.customer);
    const customer = known && (to_owner ? wholeCustomer : maskedCustomer)(known);
    const now = isoTime(this.runtime.clock.now());
    return renderPaymentLink(link, { uses, customer, now, to_owner });
  }
}
