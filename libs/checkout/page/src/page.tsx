import type { ComponentChildren, ComponentType } from 'preact';
import { countdown, moneyText, tokensDue } from './amounts';
import { Continue, Email, Info } from './screens/customer';
import { Fault, FullLink, Interrupted } from './screens/interruptions';
import { Confirmed, Confirming, End, Expired, Money } from './screens/outcomes';
import {
  Amount,
  Heading,
  Languages,
  shopAddress,
  WithoutScript,
  type ScreenProps,
} from './screens/parts';
import { Choose, Qr, Signing, SwitchAccount } from './screens/pay';
import { Simulator } from './screens/simulator';
import { handedIn, hasEnded, isOpen, paymentOf, stateOf, timeLeft, type StateName } from './view';

/** The whole page, in whatever state; the same on the server and in the browser. */
export function Page(props: ScreenProps) {
  const { view, words } = props;
  const { shown } = view.page;
  const state = stateOf(view);
  return (
    <main data-state={state}>
      {shown?.mode === 'test' && <p class="test">{words.test_mode}</p>}
      {shown && <Order {...props} state={state} />}
      <section key={state} aria-busy={view.waiting || undefined}>{SCREENS[state](props)}</section>
      <p class="aside" role="status">{minutesSaid(props, state)}</p>
      <Simulator {...props} />
      <Foot {...props} state={state} />
    </main>
  );
}

const SCREENS: Readonly<Record<StateName, (props: ScreenProps) => ComponentChildren>> = {
  shell: Shell,
  email: Email,
  info: Info,
  continue: Continue,
  choose: Choose,
  qr: Qr,
  signing: Signing,
  'switch account': SwitchAccount,
  confirming: (props) => <WithPlain of={Confirming} {...props} />,
  confirmed: Confirmed,
  expired: (props) => <WithPlain of={Expired} {...props} />,
  late: (props) => <Money {...props} title={props.words.late_title} goes_on={false} />,
  partial: (props) => (
    <Money {...props} title={props.words.partial_title} goes_on={isOpen(props.view)} />
  ),
  'wrong token': (props) => (
    <Money {...props} title={props.words.wrong_title} goes_on={isOpen(props.view)} />
  ),
  failed: (props) => <End {...props} name="failed" />,
  blocked: (props) => <End {...props} name="blocked" />,
  'link closed': (props) => <End {...props} name="closed" />,
  'link full': FullLink,
  'not found': (props) => <End {...props} name="not_found" />,
  busy: Interrupted,
  offline: Interrupted,
  error: Fault,
};

/** A screen that has no place of its own for what there is without a script. */
const WithPlain = ({
  of: Screen,
  ...props
}: ScreenProps & { readonly of: ComponentType<ScreenProps> }) => (
  <>
    <Screen {...props} />
    <WithoutScript>{props.plain}</WithoutScript>
  </>
);

/** To whom, how much, for what. The amount first: it is what people look for. */
function Order({ view, words, state }: ScreenProps & { readonly state: StateName }) {
  const { shown } = view.page;
  const payment = paymentOf(view);
  const left = timeLeft(view);
  if (!shown) return null;
  const amount = moneyText(shown.amount, shown.currency, view.language);
  return (
    <header>
      <p class="shop">{words.pay_to} <strong><bdi>{shown.merchant_name}</bdi></strong></p>
      <Amount of={amount} />
      <p class="token">{payment ? tokensDue(payment, view.language) : words.paid_in(shown.token)}</p>
      {shown.description && <p class="what"><bdi>{shown.description}</bdi></p>}
      {left !== null && left > 0 && !hasEnded(state) && (
        <p class="left"><span role="timer">{words.time_left(countdown(left))}</span></p>
      )}
    </header>
  );
}

/** Before the script runs; where none does, what there is without one is all. */
function Shell({ words, plain }: ScreenProps) {
  return (
    <>
      <div class="scripted">
        <Heading>{words.loading}</Heading>
        <p class="waits"><i aria-hidden="true" /></p>
      </div>
      <WithoutScript>{plain}</WithoutScript>
    </>
  );
}

/** Said twice, not every second. */
function minutesSaid({ view, words }: ScreenProps, state: StateName): string {
  const left = timeLeft(view);
  if (left === null || hasEnded(state) || left <= 0) return '';
  if (left <= 60_000) return words.minutes_left(1);
  return left <= 300_000 && left > 240_000 ? words.minutes_left(5) : '';
}

function Foot({ view, words, actions, state }: ScreenProps & { readonly state: StateName }) {
  const { shown } = view.page;
  const is_over = state === 'expired' || state === 'late';
  const is_pending = paymentOf(view)?.status === 'pending';
  // What the customer has approved cannot be called off by leaving.
  const is_under_way = view.approved || (is_pending && handedIn(view) !== null);
  const leave = hasEnded(state) || is_under_way ? null : shown?.cancel_url;
  return (
    <footer>
      {leave && (
        <a href={shopAddress(leave, paymentOf(view))}>{is_over ? words.to_shop : words.cancel}</a>
      )}
      <Languages language={view.language} words={words} onSpeak={actions.speak} />
    </footer>
  );
}
