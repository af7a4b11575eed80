import { Controller, Inject, Req, Res } from '@nestjs/common';
import { readPageAsset } from '@tender/contracts';
import { notFound, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages } from './checkout-pages';

/** A name never stands for other bytes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

@Controller()
export class PageAssetHttp {
  constructor(@Inject(CheckoutPages) private readonly pages: CheckoutPages) {}

  @Serves(readPageAsset)
  read(
    @Req() request: FastifyRequest<{ Params: { name: string } }>,
    @Res() reply: FastifyReply,
  ): void {
    const asset = this.pages.assets.scripts.get(request.params.name);
    if (!asset) throw notFound();
    const taken = (request.headers['accept-encoding'] ?? '').split(',').map((one) => one.trim());
    const form = (['br', 'gzip'] as const).find((one) => taken.includes(one));
    if (form) void reply.header('Content-Encoding', form);
    void reply
      .headers({ 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' })
      .type('text/javascript; charset=utf-8')
      .send(form ? asset[form] : asset.plain);
  }
}
