import { NO_ACTIONS } from '../actions';
import { Field } from '../screens/customer';
import { Facts, Heading } from '../screens/parts';
import { WalletApps } from '../screens/pay';
import { ATTEMPT_FIELD } from '../screens/attempt-field';
import { WORDS } from '../words/words';
import { dayText } from './day-text';
import type { PlanScreenProps } from './plan-page';

interface FormProps extends PlanScreenProps {
  /** Below another heading. */
  readonly is_again?: boolean;
}

/** One form with a script and without: the script fills in the address of a wallet that it connects. */
export function SubscribeForm({ view, words, is_again = false }: FormProps) {
  const { shown, language } = view.page;
  const { trial_days } = shown;
  const shared = WORDS[language];
  const field = { view, words: shared, actions: NO_ACTIONS };
  return (
    <form method="post" {...said(words)}>
      {!is_again && <Heading>{words.form_title}</Heading>}
      {trial_days > 0 && <p>{words.trial_days(trial_days)}</p>}
      <p>{words.you_approve}</p>
      <Terms view={view} words={words} />
      <p class="note" role="status" hidden />
      <div class="wallets" />
      <div class="apps" hidden>
        <WalletApps page={shown.subscription_url} words={shared} />
      </div>
      <Field {...field} name="customer_wallet" label={words.wallet} autocomplete="off" required said={words.wallet_malformed} />
      <Field {...field} name="customer_email" type="email" label={words.email} autocomplete="email" hint={words.email_why} />
      <Field {...field} name="customer_name" label={words.name} autocomplete="name" />
      {view.attempt && <input type="hidden" name={ATTEMPT_FIELD} value={view.attempt} />}
      <button class="primary">
        {is_again ? shared.try_again : trial_days > 0 ? words.begin_trial : words.subscribe}
      </button>
    </form>
  );

  function Terms({ view: { page } }: PlanScreenProps) {
    const first = trial_days > 0 ? dayText(page.shown.first_charge_at, language) : words.at_once;
    const { max_cycles } = page.shown;
    const in_all = max_cycles === null ? [] : [[words.payments, String(max_cycles)] as const];
    return <Facts of={[[words.first_payment, first], ...in_all]} />;
  }
}

/** What the script says: it has no words of its own. */
const said = ({ connect, connected, declined, failed, offline }: PlanScreenProps['words']) => ({
  'data-connect': connect,
  'data-connected': connected,
  'data-declined': declined,
  'data-failed': failed,
  'data-offline': offline,
});
