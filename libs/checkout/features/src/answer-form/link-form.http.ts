import { Controller, Inject, Req, Res } from '@nestjs/common';
import { payByLink, payLinkByForm, showLink, type RequestContext } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages, type PageAnswer } from '../serve-page/checkout-pages';
import { attemptIn, underAttempt } from './attempt';
import { blocked, busy, failed, linkFull } from './refused-form';
import { fieldsOf, isForeign, leadTo } from './sent-form';

type LinkForm = FastifyRequest<{ Params: { link_code: string } }>;

@Controller()
export class LinkFormHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutPages) private readonly pages: CheckoutPages,
  ) {}

  /** What the script of the page does by `POST /payment-links/{code}/pay`, for customers whose browser runs none. */
  @Serves(payLinkByForm)
  async pay(
    @Caller() caller: RequestContext,
    @Req() request: LinkForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { link_code } = request.params;
    if (isForeign(request)) return leadTo(request, reply, `/l/${link_code}`);
    const attempt = attemptIn(fieldsOf(request));
    const asked = underAttempt(this.runtime.keyRing, caller, link_code, attempt);
    const begun = await this.begin(asked, link_code);
    if (typeof begun === 'string') return leadTo(request, reply, begun);
    const link = await this.runtime.calls.ask(showLink, { link_code }, caller);
    void this.pages.send(request, reply, link, { ...begun, attempt });
  }

  /** Where the customer goes from here, or what the page says. */
  private async begin(caller: RequestContext, link_code: string): Promise<string | PageAnswer> {
    const asked = { link_code, caller };
    try {
      const begun = await this.runtime.calls.ask(payByLink, asked, caller);
      if (begun.ok) return `/p/${begun.value.payment_id}`;
      // Used up, closed, over, unknown: its page says which.
      if (begun.refusal.startsWith('payment_link_')) return `/l/${link_code}`;
      if (begun.refusal === 'payment_blocked') return blocked(begun.details?.['payment_id']);
      if (begun.refusal === 'too_many_open_payments') {
        return linkFull(this.runtime.clock, begun.details?.['retry_after']);
      }
      return failed(caller);
    } catch (error) {
      if (error instanceof Unavailable) return busy(this.runtime.clock);
      throw error;
    }
  }
}
