import type { ComponentChildren } from 'preact';
import { countdown, moneyText, tokensDue } from './amounts';
import { LANGUAGES } from './page-data';
import { Continue, Email, Info } from './screens/customer';
import { Fault, Interrupted } from './screens/interruptions';
import { Confirmed, Confirming, End, Expired, Money } from './screens/outcomes';
import { Heading, shopAddress, type ScreenProps } from './screens/parts';
import { Choose, Qr, QrCode, Signing, SwitchAccount } from './screens/pay';
import { Simulator } from './screens/simulator';
import { hasEnded, paymentOf, stateOf, type StateName } from './view';

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
  confirming: Confirming,
  confirmed: Confirmed,
  expired: Expired,
  late: (props) => <Money {...props} title={props.words.late_title} goes_on={false} />,
  partial: (props) => (
    <Money {...props} title={props.words.partial_title} goes_on={isOpen(props)} />
  ),
  'wrong token': (props) => (
    <Money {...props} title={props.words.wrong_title} goes_on={isOpen(props)} />
  ),
  failed: (props) => <End {...props} name="failed" />,
  blocked: (props) => <End {...props} name="blocked" />,
  'link closed': (props) => <End {...props} name="closed" />,
  'not found': (props) => <End {...props} name="not_found" />,
  busy: Interrupted,
  offline: Interrupted,
  error: Fault,
};

const leftOf = ({ view }: Pick<ScreenProps, 'view'>): number | null => {
  const payment = paymentOf(view);
  return payment?.status === 'pending' ? Date.parse(payment.expires_at) - view.now : null;
};

const isOpen = (props: ScreenProps): boolean => (leftOf(props) ?? 0) > 0;

/** To whom, how much, for what. The amount first: it is what people look for. */
function Order({ view, words, state }: ScreenProps & { readonly state: StateName }) {
  const { shown } = view.page;
  const payment = paymentOf(view);
  const left = leftOf({ view });
  if (!shown) return null;
  return (
    <header>
      <p class="shop">{words.pay_to} <strong>{shown.merchant_name}</strong></p>
      <p class="amount">{moneyText(shown.amount, shown.currency, view.language)}</p>
      <p class="token">{payment ? tokensDue(payment, view.language) : words.paid_in(shown.token)}</p>
      {shown.description && <p class="what">{shown.description}</p>}
      {left !== null && left > 0 && !hasEnded(state) && (
        <p class="left"><span role="timer">{words.time_left(countdown(left))}</span></p>
      )}
    </header>
  );
}

/** Before the script runs, and for good where none does. */
function Shell({ view, words }: ScreenProps) {
  const payment = paymentOf(view);
  return (
    <>
      <div class="scripted">
        <Heading>{words.loading}</Heading>
        <p class="waits"><i aria-hidden="true" /></p>
      </div>
      <noscript>
        <h1>{words.qr_title}</h1>
        {payment && view.page.qr ? (
          <>
            <QrCode
              drawing={view.page.qr}
              label={words.qr_label(tokensDue(payment, view.language))}
            />
            <p>{words.no_script}</p>
            <a class="button primary" href={payment.qr_code}>{words.any_wallet}</a>
            <p class="code">{payment.qr_code}</p>
          </>
        ) : (
          <p>{words.no_script_link}</p>
        )}
      </noscript>
    </>
  );
}

/** Said twice, not every second. */
function minutesSaid({ view, words }: ScreenProps, state: StateName): string {
  const left = leftOf({ view });
  if (left === null || hasEnded(state) || left <= 0) return '';
  if (left <= 60_000) return words.minutes_left(1);
  return left <= 300_000 && left > 240_000 ? words.minutes_left(5) : '';
}

function Foot({ view, words, actions, state }: ScreenProps & { readonly state: StateName }) {
  const { shown } = view.page;
  const may_leave = !hasEnded(state) && state !== 'confirming';
  const leave = may_leave ? shown?.cancel_url : null;
  const is_over = state === 'expired' || state === 'late';
  return (
    <footer>
      {leave && (
        <a href={shopAddress(leave, paymentOf(view))}>{is_over ? words.to_shop : words.cancel}</a>
      )}
      <nav aria-label={words.language}>
        {LANGUAGES.map((language) => (
          <a
            key={language}
            href={`?lang=${language}`}
            lang={language}
            hreflang={language}
            aria-current={language === view.language ? 'true' : undefined}
            onClick={(event) => {
              event.preventDefault();
              actions.speak(language);
            }}
          >
            {language === 'en' ? 'English' : 'Français'}
          </a>
        ))}
      </nav>
    </footer>
  );
}
