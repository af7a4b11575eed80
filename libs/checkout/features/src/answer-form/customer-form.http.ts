import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Customer,
  showPayment,
  tellCustomer,
  tellCustomerByForm,
  type RequestContext,
} from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { Caller, RequestReader, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages, type PageAnswer } from '../serve-page/checkout-pages';
import { busy, failed, malformed } from './refused-form';
import { fieldsOf, isForeign, leadTo } from './sent-form';

type CustomerForm = FastifyRequest<{ Params: { id: string } }>;

/** The payment has a customer, or an end: its page says which. */
const SHOWN_BY_PAGE = ['customer_info_set', 'invalid_payment_state', 'payment_expired', 'not_found'];

@Controller()
export class CustomerFormHttp {
  private readonly reader = new RequestReader(Customer);

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutPages) private readonly pages: CheckoutPages,
  ) {}

  /** What the script of the page does by `POST /payments/{id}/customer-info`. */
  @Serves(tellCustomerByForm)
  async tell(
    @Caller() caller: RequestContext,
    @Req() request: CustomerForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { id } = request.params;
    const typed = fieldsOf(request);
    const refused = isForeign(request) ? null : await this.keep(caller, id, typed);
    if (refused === null) return leadTo(request, reply, `/p/${id}`);
    const payment = await this.runtime.calls.ask(showPayment, { payment_id: id }, caller);
    void this.pages.send(request, reply, payment, { ...refused, typed });
  }

  /** Null: the page of the payment says how it is now. */
  private async keep(
    caller: RequestContext,
    payment_id: string,
    typed: Readonly<Record<string, string>>,
  ): Promise<PageAnswer | null> {
    try {
      const customer = this.reader.readBody(typed, []).value as Customer;
      const asked = { caller, payment_id, customer };
      const told = await this.runtime.calls.ask(tellCustomer, asked, caller);
      return told.ok || SHOWN_BY_PAGE.includes(told.refusal) ? null : failed(caller);
    } catch (error) {
      if (error instanceof Unavailable) return busy(this.runtime.clock);
      return malformed(error);
    }
  }
}
