import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createNamedKey,
  type CreateNamedKeyAnswer,
  type CreateNamedKeyBody,
  type RequestContext,
} from '@tender/contracts';
import { Caller, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { askedBy, MintKey } from './mint-key';

@Controller()
export class CreateNamedKeyHttp {
  constructor(@Inject(MintKey) private readonly keys: MintKey) {}

  @Serves(createNamedKey)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreateNamedKeyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreateNamedKeyAnswer> {
    const name = body.name.trim();
    const wanted = { asked_by: askedBy(caller), mode: body.mode, name, reason: null };
    const minted = await this.keys.mint(caller, caller.merchant_id, wanted, reply);
    return { ...minted, name };
  }
}
