import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { payByLink, tellCustomer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { outcomeOf, RUNTIME } from '@tender/http';
import { collectCustomer } from '../collect-customer-info/collect-customer';
import { PayByLink } from '../pay-payment-link/pay-by-link';

/** Does for the forms of checkout pages what routes do for their script: the same commands, under the caller's ids. */
@Injectable()
export class AnswerForms implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PayByLink) private readonly links: PayByLink,
  ) {}

  onModuleInit(): void {
    const { calls } = this.runtime;
    calls.answer(payByLink, ({ caller, link_code }) =>
      outcomeOf(async () => {
        const { payment } = await this.links.begin(caller, link_code);
        return { payment_id: payment.terms.payment_id };
      }),
    );
    calls.answer(tellCustomer, ({ caller, payment_id, customer }) =>
      outcomeOf(async () => {
        await collectCustomer(this.runtime, caller, payment_id, customer);
        return { payment_id };
      }),
    );
  }
}
