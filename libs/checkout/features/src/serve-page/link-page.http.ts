import { Controller, Inject, Req, Res } from '@nestjs/common';
import { codeIds, modeOf, readLinkPage, showLink, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages } from './checkout-pages';

@Controller()
export class LinkPageHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutPages) private readonly pages: CheckoutPages,
  ) {}

  @Serves(readLinkPage)
  async read(
    @Caller() { correlation_id }: RequestContext,
    @Req() request: FastifyRequest<{ Params: { link_code: string } }>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { link_code } = request.params;
    const mode = modeOf(codeIds, link_code);
    const link =
      mode && (await this.runtime.calls.ask(showLink, { link_code }, { mode, correlation_id }));
    void this.pages.send(request, reply, link);
  }
}
