import { Inject, Injectable } from '@nestjs/common';
import type { LinkToShow, PaymentToShow } from '@tender/contracts';
import {
  drawQr,
  languageOf,
  loadAssets,
  policyOf,
  renderPage,
  type LoadedAssets,
} from '@tender/checkout-page';
import type { LocalChain, Runtime } from '@tender/eventing';
import { LOCAL_CHAIN, RUNTIME } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Makes the answers of all pages: what is not there is a page, too, the same for whatever was asked for. */
@Injectable()
export class CheckoutPages {
  readonly assets: LoadedAssets = loadAssets();
  private readonly policy = policyOf(this.assets);

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LOCAL_CHAIN) private readonly chain: LocalChain | null,
  ) {}

  send(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: LinkToShow | PaymentToShow | null,
  ): FastifyReply {
    const { lang } = request.query as { readonly lang?: string };
    const page = {
      shown,
      now: isoTime(this.runtime.clock.now()),
      language: languageOf(lang, request.headers['accept-language']),
      simulator: this.chain !== null && shown?.mode === 'test',
      qr: shown?.kind === 'payment' ? drawQr(shown.qr_code) : null,
    };
    if (shown) void reply.header('X-Svc-Mode', shown.mode);
    return reply
      .status(shown ? 200 : 404)
      .headers({
        'Content-Security-Policy': this.policy,
        'Referrer-Policy': 'no-referrer',
        Vary: 'Accept-Language',
      })
      .type('text/html; charset=utf-8')
      .send(renderPage(page, this.assets));
  }
}
