import { Inject, Injectable } from '@nestjs/common';
import type { LinkToShow, PaymentToShow } from '@tender/contracts';
import {
  compressPage,
  drawQr,
  languageOf,
  loadAssets,
  policyOf,
  renderPage,
  type LoadedAssets,
  type PageChanges,
} from '@tender/checkout-page';
import type { LocalChain, Runtime } from '@tender/eventing';
import { LOCAL_CHAIN, RUNTIME } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { freshAttempt } from '../answer-form/attempt';
import { takenForm } from './taken-form';

export interface PageAnswer extends PageChanges {
  readonly status: number;
}

/** Makes the answers of all pages: what is not there is a page, too, the same for whatever was asked for. */
@Injectable()
export class CheckoutPages {
  readonly assets: LoadedAssets = loadAssets();
  private readonly policy = policyOf(this.assets);

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LOCAL_CHAIN) private readonly chain: LocalChain | null,
  ) {}

  /** `answer`: of a form that was refused, to whom has sent it. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: LinkToShow | PaymentToShow | null,
    answer: PageAnswer = { status: shown ? 200 : 404 },
  ): FastifyReply {
    const { lang } = request.query as { readonly lang?: string };
    const { status, ...changes } = answer;
    const attempt = shown?.kind === 'link' ? freshAttempt(this.runtime.random) : null;
    const now = this.runtime.clock.now();
    const page = {
      shown,
      now: isoTime(now),
      language: languageOf(lang, request.headers['accept-language']),
      simulator: this.chain !== null && shown?.mode === 'test',
      qr: shown?.kind === 'payment' ? drawQr(shown.qr_code) : null,
    };
    if (shown) void reply.header('X-Svc-Mode', shown.mode);
    const { interruption } = changes;
    if (interruption) {
      void reply.header('Retry-After', Math.max(1, Math.ceil((interruption.retry_at - now) / 1000)));
    }
    return reply
      .status(status)
      .headers({
        'Content-Security-Policy': this.policy,
        'Referrer-Policy': 'no-referrer',
        Vary: 'Accept-Language, Accept-Encoding',
      })
      .type('text/html; charset=utf-8')
      .send(compressed(renderPage(page, this.assets, { attempt, ...changes }), request, reply));
  }
}

function compressed(html: string, request: FastifyRequest, reply: FastifyReply): Buffer | string {
  const form = takenForm(request);
  if (!form) return html;
  void reply.header('Content-Encoding', form);
  return compressPage(html, form);
}
