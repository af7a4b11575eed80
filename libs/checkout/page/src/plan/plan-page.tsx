import type { ComponentChildren } from 'preact';
import { moneyText } from '../amounts';
import { Amount, AskShop, Facts, Heading, Languages } from '../screens/parts';
import { WORDS } from '../words/words';
import { en, type PlanWords } from './en';
import { fr } from './fr';
import { planStateOf, type PlanState, type PlanView } from './plan-view';
import { SubscribeForm } from './subscribe-form';
import { Due, Ended, PayForm, Paused, Subscribed, Trial } from './subscription-screens';

export const PLAN_WORDS = { en, fr };

/** What every screen of a plan is given. */
export interface PlanScreenProps {
  readonly view: PlanView;
  readonly words: PlanWords;
}

/** The page of a plan or of a subscription. The server alone draws it; a script may help with wallets. */
export function PlanPage({ view }: { readonly view: PlanView }) {
  const { language, shown } = view.page;
  const props = { view, words: PLAN_WORDS[language] };
  const state = planStateOf(view);
  const { plan_id, subscription } = shown;
  return (
    <main data-state={state} data-plan={plan_id} data-subscription={subscription?.subscription_id}>
      {shown.mode === 'test' && <p class="test">{WORDS[language].test_mode}</p>}
      <Offer {...props} />
      <section>{SCREENS[state](props)}</section>
      <footer>
        <Languages language={language} words={WORDS[language]} />
      </footer>
    </main>
  );
}

/** Of whom, how much, how often. */
function Offer({ view, words }: PlanScreenProps) {
  const { shown, language } = view.page;
  const every = words.every(shown.billing_interval, shown.interval_count);
  return (
    <header>
      <p class="shop">{shown.subscription ? words.subscribed_to : words.subscribe_to} <strong><bdi>{shown.merchant_name}</bdi></strong></p>
      <Amount of={moneyText(shown.amount, shown.currency, language)} />
      <p class="token">{words.rhythm(every, shown.token)}</p>
      <p class="what">
        <strong><bdi>{shown.name}</bdi></strong>
        {shown.description && <><br /><bdi>{shown.description}</bdi></>}
      </p>
    </header>
  );
}

const SCREENS: Readonly<Record<PlanState, (props: PlanScreenProps) => ComponentChildren>> = {
  subscribe: (props) => <SubscribeForm {...props} />,
  'plan closed': ({ view, words }) => (
    <End {...{ view, title: words.closed_title, text: words.closed_text }} />
  ),
  trial: Trial,
  due: Due,
  subscribed: Subscribed,
  paused: Paused,
  ended: Ended,
  blocked: ({ view }) => {
    const { blocked_title, blocked_text } = WORDS[view.page.language];
    const { blocked_payment_id: payment_id } = view;
    return <End {...{ view, title: blocked_title, text: blocked_text, payment_id }} />;
  },
  busy: Busy,
  error: Fault,
};

interface EndProps {
  readonly view: PlanView;
  readonly title: string;
  readonly text: string;
  /** By it the shop finds the payment that was blocked. */
  readonly payment_id?: string | null;
}

/** An end without a way on but the shop. */
const End = ({ view, title, text, payment_id }: EndProps) => (
  <>
    <Heading>{title}</Heading>
    <p>{text}</p>
    {payment_id && (
      <Facts of={[[WORDS[view.page.language].reference, <span class="code">{payment_id}</span>]]} />
    )}
    <AskShop view={view} words={WORDS[view.page.language]} />
  </>
);

/** The form again, with what was typed. */
const Form = (props: PlanScreenProps) => {
  const { subscription } = props.view.page.shown;
  return subscription ? <PayForm {...props} /> : <SubscribeForm {...props} is_again />;
};

function Busy(props: PlanScreenProps) {
  const { view, words } = props;
  const { busy_title, come_again } = WORDS[view.page.language];
  const seconds = Math.ceil(((view.interruption?.retry_at ?? 0) - view.page.now) / 1000);
  return (
    <>
      <Heading>{busy_title}</Heading>
      <p>{words.busy_text} {come_again(Math.max(1, seconds))}</p>
      <Form {...props} />
    </>
  );
}

function Fault(props: PlanScreenProps) {
  const { view } = props;
  const { error_title, nothing_paid, tell_shop } = WORDS[view.page.language];
  return (
    <>
      <Heading>{error_title}</Heading>
      <p>{nothing_paid} {tell_shop}</p>
      <p class="code">{view.fault?.correlation_id}</p>
      <Form {...props} />
      <AskShop view={view} words={WORDS[view.page.language]} />
    </>
  );
}
