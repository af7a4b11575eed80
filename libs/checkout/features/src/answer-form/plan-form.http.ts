import { Controller, Inject, Req, Res } from '@nestjs/common';
import { languageOf } from '@tender/page';
import {
  CreateSubscriptionBody,
  payPeriod,
  payPeriodByForm,
  showPlan,
  subscribeByForm,
  subscribeToPlan,
  type RequestContext,
} from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { Caller, RequestReader, RUNTIME, Serves } from '@tender/http';
import type { Outcome } from '@tender/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages, type PageAnswer } from '../serve-page/checkout-pages';
import { attemptIn, underAttempt } from './attempt';
import { blocked, busy, failed, malformed } from './refused-form';
import { fieldsOf, isForeign, leadTo } from './sent-form';

interface Which {
  readonly plan_id: string;
  readonly subscription_id?: string;
}
type PlanForm = FastifyRequest<{ Params: Which }>;
type Typed = Readonly<Record<string, string>>;

/** The page of the plan or of the subscription says how that is now. */
const SHOWN_BY_PAGE = [
  ...['plan_inactive', 'plan_not_found', 'subscription_not_found', 'payment_not_due'],
  ...['subscription_already_cancelled', 'invalid_subscription_state'],
];
/** Something is still being made, or has as much to do as it may: the customer sends the form again. */
const PASSES = ['wallet_not_ready', 'too_many_open_payments'];

@Controller()
export class PlanFormHttp {
  private readonly reader = new RequestReader(CreateSubscriptionBody);

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutPages) private readonly pages: CheckoutPages,
  ) {}

  /** What `POST /subscriptions` does. Sent twice for one wallet, it is one subscription. */
  @Serves(subscribeByForm)
  async subscribe(
    @Caller() caller: RequestContext,
    @Req() request: PlanForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = pathOf(request.params);
    if (isForeign(request)) return leadTo(request, reply, page);
    const typed = fieldsOf(request);
    const attempt = attemptIn(typed);
    const wanted = this.wantedBy(request, typed);
    const answer = 'status' in wanted ? wanted : await this.made(caller, wanted, attempt);
    if (typeof answer === 'string') return leadTo(request, reply, answer);
    await this.show(caller, request, reply, { ...answer, typed, attempt });
  }

  /** What `POST /subscriptions/{id}/pay` does, and leads to its payment. */
  @Serves(payPeriodByForm)
  async pay(
    @Caller() caller: RequestContext,
    @Req() request: PlanForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = pathOf(request.params);
    if (isForeign(request)) return leadTo(request, reply, page);
    const { subscription_id = '' } = request.params;
    const answer = await this.outcome(
      caller,
      () => this.runtime.calls.ask(payPeriod, { caller, subscription_id }, caller),
      ({ payment_id }) => `/p/${payment_id}`,
      page,
    );
    if (typeof answer === 'string') return leadTo(request, reply, answer);
    await this.show(caller, request, reply, answer);
  }

  /** What was typed as the API takes it, or the page that marks the fields that cannot be right. */
  private wantedBy(
    { params: { plan_id }, query, headers }: PlanForm,
    typed: Typed,
  ): CreateSubscriptionBody | PageAnswer {
    const { customer_wallet, customer_email, customer_name } = typed;
    const { lang } = query as { readonly lang?: string };
    const locale = languageOf(lang, headers['accept-language']);
    // A name alone is of no use: it is for mails.
    const who = customer_email === undefined ? {} : { customer_email, customer_name };
    const body = { plan_id, customer_wallet: customer_wallet?.trim(), ...who, locale };
    try {
      return this.reader.readBody(withoutBlanks(body), []).value as CreateSubscriptionBody;
    } catch (error) {
      return malformed(error);
    }
  }

  private made(
    caller: RequestContext,
    wanted: CreateSubscriptionBody,
    attempt: string | null,
  ): Promise<string | PageAnswer> {
    const { plan_id, customer_wallet } = wanted;
    // The same wallet again is the same press, whatever else was typed; another wallet is another one.
    const pressed = underAttempt(this.runtime.keyRing, caller, `${plan_id}|${customer_wallet}`, attempt);
    const asked = attempt === null ? caller : { ...pressed, body_hash: '' };
    return this.outcome(
      asked,
      () => this.runtime.calls.ask(subscribeToPlan, { caller: asked, wanted }, asked),
      ({ subscription_id }) => pathOf({ plan_id, subscription_id }),
      pathOf({ plan_id }),
    );
  }

  /** Where the customer goes from here, or what the page says. */
  private async outcome<Value>(
    caller: RequestContext,
    ask: () => Promise<Outcome<Value, string>>,
    next: (value: Value) => string,
    page: string,
  ): Promise<string | PageAnswer> {
    try {
      const asked = await ask();
      if (asked.ok) return next(asked.value);
      if (SHOWN_BY_PAGE.includes(asked.refusal)) return page;
      if (asked.refusal === 'payment_blocked') return blocked(asked.details?.['payment_id']);
      return PASSES.includes(asked.refusal) ? busy(this.runtime.clock) : failed(caller);
    } catch (error) {
      if (error instanceof Unavailable) return busy(this.runtime.clock);
      throw error;
    }
  }

  private async show(
    caller: RequestContext,
    request: PlanForm,
    reply: FastifyReply,
    answer: PageAnswer,
  ): Promise<void> {
    const { plan_id, subscription_id = null } = request.params;
    const shown = await this.runtime.calls.ask(showPlan, { plan_id, subscription_id }, caller);
    void this.pages.send(request, reply, shown, shown ? answer : { status: 404 });
  }
}

const pathOf = ({ plan_id, subscription_id }: Which): string =>
  subscription_id === undefined ? `/s/${plan_id}` : `/s/${plan_id}/${subscription_id}`;

const withoutBlanks = (body: Readonly<Record<string, string | undefined>>): object =>
  Object.fromEntries(Object.entries(body).filter(([, text]) => text !== undefined));
