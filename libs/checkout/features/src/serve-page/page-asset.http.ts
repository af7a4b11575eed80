import { Controller, Inject, Req, Res } from '@nestjs/common';
import { readIcon, readPageAsset } from '@tender/contracts';
import { notFound, Serves } from '@tender/http';
import { ICON, takenForm } from '@tender/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages } from './checkout-pages';

/** A day, as its name stays when it changes. */
const FOR_A_DAY = 'public, max-age=86400';

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
    const form = takenForm(request.headers['accept-encoding']);
    if (form) void reply.header('Content-Encoding', form);
    void reply
      .headers({ 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' })
      .type('text/javascript; charset=utf-8')
      .send(form ? asset[form] : asset.plain);
  }

  @Serves(readIcon)
  icon(@Res() reply: FastifyReply): void {
    void reply.header('Cache-Control', FOR_A_DAY).type('image/svg+xml').send(ICON);
  }
}
