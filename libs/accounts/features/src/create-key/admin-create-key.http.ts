import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  adminCreateKey,
  type AdminCreateKeyBody,
  type CreateKeyAnswer,
  type RequestContext,
} from '@tender/contracts';
import { Caller, notFound, Serves } from '@tender/http';
import { isUuid } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { MintKey } from './mint-key';

@Controller()
export class AdminCreateKeyHttp {
  constructor(@Inject(MintKey) private readonly keys: MintKey) {}

  /** The way to a merchant’s first live key (specification §2.2). */
  @Serves(adminCreateKey)
  async create(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() body: AdminCreateKeyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreateKeyAnswer> {
    if (!isUuid(id)) throw notFound();
    const { mode, reason } = body;
    const wanted = { asked_by: 'admin' as const, mode, name: null, reason };
    const minted = await this.keys.mint(caller, id.toLowerCase(), wanted, reply);
    return { key: minted.key, id: minted.id, mode: minted.mode, created_at: minted.created_at };
  }
}
