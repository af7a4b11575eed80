import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  adminCreateKey,
  routeText,
  type AdminCreateKeyBody,
  type CreateKeyAnswer,
  type RequestContext,
} from '@tender/contracts';
import { recordAdminChange, type Runtime } from '@tender/eventing';
import { Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { isUuid } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { MintKey } from './mint-key';

@Controller()
export class AdminCreateKeyHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(MintKey) private readonly keys: MintKey,
  ) {}

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
    const merchant_id = id.toLowerCase();
    await recordAdminChange(this.runtime, caller, {
      reason,
      route: routeText(adminCreateKey),
      what: { merchant_id, mode },
    });
    const wanted = { asked_by: 'admin' as const, mode, name: null, reason };
    const minted = await this.keys.mint(caller, merchant_id, wanted, reply);
    return { key: minted.key, id: minted.id, mode: minted.mode, created_at: minted.created_at };
  }
}
