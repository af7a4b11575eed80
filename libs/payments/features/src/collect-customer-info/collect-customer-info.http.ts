import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  collectCustomerInfo,
  type Customer,
  type CustomerInfoAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, notFound, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { CollectCustomerInfo, paymentDecider } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { sealCustomer } from '../customers/customers';
import { payment } from '../payment-details/payment.aggregate';

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentDecider, CollectCustomerInfo>> = {
  payment_unknown: [404, 'not_found', 'There is no such resource.'],
  payment_expired: [410, 'payment_expired', 'The payment has expired. Begin a new one.'],
  invalid_payment_state: [409, 'invalid_payment_state', 'The payment has ended.'],
  customer_info_set: [
    409,
    'customer_info_set',
    'The payment knows its customer already. Go on without sending it again.',
  ],
};

@Controller()
export class CollectCustomerInfoHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(collectCustomerInfo)
  async collect(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() body: Customer,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerInfoAnswer> {
    const { runtime } = this;
    const known = await payment.load(runtime, caller.mode, id);
    if (!known) throw notFound();
    const { merchant_id, mode } = known.terms;
    const customer = await sealCustomer(runtime, { merchant_id, mode }, body);
    const { handled } = await payment.request(runtime, caller, () => {
      const now = isoTime(runtime.clock.now());
      const command = { type: 'CollectCustomerInfo', customer, now } as const;
      return { id, command, merchant_id, subject_ids: [customer.subject_id] };
    });
    accepted(handled, REFUSALS, reply);
    return { payment_id: id, collected: true };
  }
}
