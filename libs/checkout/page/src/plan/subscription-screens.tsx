import type { SubscriptionToShow } from '@tender/contracts';
import { moneyText, shortened } from '../amounts';
import { AskShop, Facts, Heading } from '../screens/parts';
import { WORDS } from '../words/words';
import { dayText } from './day-text';
import type { PlanScreenProps } from './plan-page';

/** The subscription of the page; without one there is none of these screens. */
const of = ({ view }: PlanScreenProps): SubscriptionToShow =>
  view.page.shown.subscription as SubscriptionToShow;

export function Due(props: PlanScreenProps) {
  const { view, words } = props;
  const { cycles_completed, current_period_end } = of(props);
  return (
    <>
      <Heading>{cycles_completed === 0 ? words.due_first_title : words.due_title}</Heading>
      <p>{words.due_text(dayText(current_period_end, view.page.language))}</p>
      <PayForm {...props} />
      <Known {...props} />
    </>
  );
}

/** Leads to the page of the payment. */
export const PayForm = ({ words }: PlanScreenProps) => (
  <form method="post" class="pay">
    <button class="primary">{words.pay}</button>
  </form>
);

export function Trial(props: PlanScreenProps) {
  const { view, words } = props;
  const { language, shown } = view.page;
  const { current_period_end, next_payment_attempt } = of(props);
  const amount = moneyText(shown.amount, shown.currency, language);
  const end = dayText(current_period_end, language);
  return (
    <>
      <Heading>{words.trial_title}</Heading>
      <p>{next_payment_attempt === null ? words.trial_ends(end) : words.trial_text(amount, end)}</p>
      <Known {...props} />
    </>
  );
}

export function Subscribed(props: PlanScreenProps) {
  const { view, words } = props;
  const { language } = view.page;
  const { current_period_end, next_payment_attempt: next } = of(props);
  return (
    <>
      <Heading>{words.subscribed_title}</Heading>
      <p>
        {words.paid_until(dayText(current_period_end, language))}{' '}
        {next === null ? words.last_period : words.next_payment(dayText(next, language))}
      </p>
      <Known {...props} />
    </>
  );
}

export function Paused(props: PlanScreenProps) {
  const { view, words } = props;
  const { resumes_at } = of(props);
  return (
    <>
      <Heading>{words.paused_title}</Heading>
      <p>
        {words.paused_text}
        {resumes_at && ` ${words.resumes(dayText(resumes_at, view.page.language))}`}
      </p>
      <Known {...props} />
    </>
  );
}

export function Ended(props: PlanScreenProps) {
  const { words } = props;
  return (
    <>
      <Heading>{words.ended_title}</Heading>
      <p>{words.ended_text}</p>
      <Known {...props} has_ended />
    </>
  );
}

/** Which subscription it is, and where there is another one. */
function Known(props: PlanScreenProps & { readonly has_ended?: boolean }) {
  const { view, words, has_ended = false } = props;
  const { language, shown } = view.page;
  const { customer_wallet, subscription_id } = of(props);
  return (
    <>
      <Facts
        of={[
          [words.your_wallet, shortened(customer_wallet)],
          [words.subscription, <span class="code">{subscription_id}</span>],
        ]}
      />
      {!has_ended && <p>{words.keep_address}</p>}
      {shown.is_active && (
        <a class="button quiet" data-again href={`/s/${shown.plan_id}?lang=${language}`}>
          {has_ended ? words.again : words.another}
        </a>
      )}
      <AskShop view={view} words={WORDS[language]} />
    </>
  );
}
