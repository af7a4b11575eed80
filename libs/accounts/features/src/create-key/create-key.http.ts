import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createKey,
  type CreateKeyAnswer,
  type CreateKeyBody,
  type RequestContext,
} from '@tender/contracts';
import { Caller, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { askedBy, MintKey } from './mint-key';

@Controller()
export class CreateKeyHttp {
  constructor(@Inject(MintKey) private readonly keys: MintKey) {}

  @Serves(createKey)
  async create(
    @Caller() caller: RequestContext,
    @Body() { mode }: CreateKeyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreateKeyAnswer> {
    const wanted = { asked_by: askedBy(caller), mode, name: null, reason: null };
    const minted = await this.keys.mint(caller, caller.merchant_id, wanted, reply);
    const { key, id, created_at } = minted;
    return { key, id, mode: minted.mode, created_at };
  }
}
