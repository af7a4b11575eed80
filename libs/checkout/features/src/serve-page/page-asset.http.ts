import { Controller, Inject, Req, Res } from '@nestjs/common';
import { readIcon, readPageAsset } from '@tender/contracts';
import { notFound, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages } from './checkout-pages';
import { takenForm } from './taken-form';

/** A day, as its name stays when it changes. */
const FOR_A_DAY = 'public, max-age=86400';
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#14161a"/>' +
  '<path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/></svg>';

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
    const form = takenForm(request);
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
