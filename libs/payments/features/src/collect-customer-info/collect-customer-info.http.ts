import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  collectCustomerInfo,
  type Customer,
  type CustomerInfoAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves, tellPosition } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { collectCustomer } from './collect-customer';

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
    tellPosition(reply, await collectCustomer(this.runtime, caller, id, body));
    return { payment_id: id, collected: true };
  }
}
