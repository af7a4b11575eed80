import { Inject, Injectable } from '@nestjs/common';
import type { LinkToShow, PaymentToShow, PlanToShow } from '@tender/contracts';
import {
  drawQr,
  loadAssets,
  policyOf,
  renderPage,
  renderPlanPage,
  type LoadedAssets,
  type PageData,
  type PageChanges,
} from '@tender/checkout-page';
import type { LocalChain, Runtime } from '@tender/eventing';
import { LOCAL_CHAIN, RUNTIME } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { compressPage, languageOf, takenForm, type Language } from '@tender/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { freshAttempt } from '../answer-form/attempt';

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
    shown: LinkToShow | PaymentToShow | PlanToShow | null,
    answer: PageAnswer = { status: shown ? 200 : 404 },
  ): FastifyReply {
    const { lang } = request.query as { readonly lang?: string };
    const { status, ...changes } = answer;
    const has_form = shown?.kind === 'link' || shown?.kind === 'plan';
    const attempt = has_form ? freshAttempt(this.runtime.random) : null;
    const now = this.runtime.clock.now();
    const language = languageOf(lang, request.headers['accept-language']);
    const known = { attempt, ...changes };
    const html =
      shown?.kind === 'plan'
        ? renderPlanPage({ shown, now, language }, this.assets, known)
        : renderPage(this.dataOf(shown, now, language), this.assets, known);
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
      .send(compressed(html, request, reply));
  }

  private dataOf(
    shown: LinkToShow | PaymentToShow | null,
    now: number,
    language: Language,
  ): PageData {
    return {
      ...{ shown, now: isoTime(now), language },
      simulator: this.chain !== null && shown?.mode === 'test',
      qr: shown?.kind === 'payment' ? drawQr(shown.qr_code) : null,
    };
  }
}

function compressed(html: string, request: FastifyRequest, reply: FastifyReply): Buffer | string {
  const form = takenForm(request.headers['accept-encoding']);
  if (!form) return html;
  void reply.header('Content-Encoding', form);
  return compressPage(html, form);
}
