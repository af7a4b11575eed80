import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createSubscription,
  type CreateSubscriptionBody,
  type RequestContext,
  type SubscriptionAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves, tellPosition } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { isOwner } from '../find-for-caller';
import { renderSubscription } from '../subscriptions/render-subscription';
import { Subscribe } from './subscribe';

@Controller()
export class CreateSubscriptionHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(Subscribe) private readonly subscribe: Subscribe,
  ) {}

  @Serves(createSubscription)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreateSubscriptionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const made = await this.subscribe.wallet(caller, body);
    tellPosition(reply, made);
    const opened = await this.subscribe.opened(made.state, caller);
    return renderSubscription(this.runtime, opened, isOwner(caller));
  }
}
