import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { LinkToShow, PaymentToShow } from '@tender/contracts';
import {
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

const BROTLI_QUALITY = 5;

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
    const page = {
      shown,
      now: isoTime(this.runtime.clock.now()),
      language: languageOf(lang, request.headers['accept-language']),
      simulator: this.chain !== null && shown?.mode === 'test',
      qr: shown?.kind === 'payment' ? drawQr(shown.qr_code) : null,
    };
    if (shown) void reply.header('X-Svc-Mode', shown.mode);
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

/** A tenth of the bytes for a millisecond of work: the first page is what a customer on a phone waits for. */
function compressed(html: string, request: FastifyRequest, reply: FastifyReply): Buffer | string {
  const form = takenForm(request);
  if (!form) return html;
  void reply.header('Content-Encoding', form);
  if (form === 'gzip') return gzipSync(html);
  return brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
