import { tokensDue } from '../amounts';
import { asksForDetails, isOpen, paymentOf, stateOf, type StateName } from '../view';
import { ATTEMPT_FIELD } from './attempt-field';
import { EmailField, InfoFields, Who } from './customer';
import { Heading, type ScreenProps } from './parts';
import { QrCode } from './pay';

interface PlainProps extends ScreenProps {
  /** Names what one press of a link's button begins. */
  readonly attempt: string | null;
}

const WAITS: ReadonlySet<StateName> = new Set(['confirming', 'expired', 'late']);

/** What customers do on a screen without a script: forms in place of presses, and the code. Null: nothing. */
export function plainOf(props: PlainProps) {
  const { view } = props;
  const state = stateOf(view);
  const is_first = state === 'shell';
  // Money came, and the whole amount may still be paid.
  const is_short = (state === 'partial' || state === 'wrong token') && isOpen(view);
  const is_answer = state === 'busy' || state === 'error';
  // Money may still come, and the page may not look for it by itself.
  if (WAITS.has(state)) return <LookAgain {...props} />;
  if (!is_first && !is_short && !is_answer) return null;
  if (view.page.shown?.kind === 'link') return <Begin {...props} is_first={is_first} />;
  if (asksForDetails(view)) return <Details {...props} is_first={is_first} />;
  return is_answer ? <LookAgain {...props} /> : <Pay {...props} is_first={is_first} />;
}

type FormProps = PlainProps & { readonly is_first: boolean };

function Begin({ view, words, attempt, is_first }: FormProps) {
  const known = view.page.shown?.customer;
  return (
    <form method="post">
      {is_first && <Heading>{known ? words.continue_title : words.begin_title}</Heading>}
      {known ? <Who view={view} /> : <p>{words.begin_text}</p>}
      {attempt && <input type="hidden" name={ATTEMPT_FIELD} value={attempt} />}
      <button class="primary">{is_first ? words.continue_to : words.try_again}</button>
    </form>
  );
}

const Details = (props: FormProps) => (
  <form method="post">
    {props.is_first && <Heading>{props.words.info_title}</Heading>}
    {props.is_first && <p>{props.words.info_why}</p>}
    <EmailField {...props} />
    <InfoFields {...props} />
    <button class="primary">{props.words.next}</button>
  </form>
);

function Pay({ view, words, is_first }: FormProps) {
  const payment = paymentOf(view);
  if (!payment || !view.page.qr) return null;
  return (
    <>
      {is_first && <Heading>{words.qr_title}</Heading>}
      <QrCode drawing={view.page.qr} label={words.qr_label(tokensDue(payment, view.language))} />
      <p>{words.no_script}</p>
      <a class="button primary" href={payment.qr_code}>{words.open_wallet}</a>
      <LookAgain words={words} />
      <p class="code">{payment.qr_code}</p>
    </>
  );
}

/** The same page, asked for anew. */
const LookAgain = ({ words }: Pick<ScreenProps, 'words'>) => (
  <a class="button" href="">{words.look_again}</a>
);
