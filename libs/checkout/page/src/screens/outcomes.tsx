import type { Token } from '@tender/kernel';
import { TOKENS } from '@tender/kernel';
import { tokensDue, tokenText } from '../amounts';
import { handedIn, paymentOf, takesAnother, unreadMoney, type View } from '../view';
import type { Words } from '../words/words';
import { AskShop, Button, Facts, Heading, shopAddress, WithoutScript, type ScreenProps } from './parts';

const EXPLORER = 'https://explorer.solana.com/tx/';

/** Local chains are seen by no explorer. */
function explorerAddress(view: View): string | null {
  const signature = handedIn(view);
  const network = view.page.shown?.solana_network;
  if (!signature || network === 'localnet') return null;
  return `${EXPLORER}${signature}${network === 'devnet' ? '?cluster=devnet' : ''}`;
}

function Explorer({ view, words }: ScreenProps) {
  const address = explorerAddress(view);
  if (!address) return null;
  return <a class="button quiet" href={address} rel="noreferrer">{words.explorer}</a>;
}

/** By this id the shop finds the payment, also one that was blocked before there was any. */
const referredTo = (view: View): string | null =>
  paymentOf(view)?.payment_id ?? view.blocked_payment_id;

const referenceOf = (view: View, words: Words) =>
  [words.reference, <span class="code">{referredTo(view)}</span>] as const;

interface NewPaymentProps extends ScreenProps {
  readonly kind?: 'primary' | '';
  readonly children: string;
}

/** The link again, where it may be paid again. */
function NewPayment({ view, actions, kind = '', children }: NewPaymentProps) {
  const link_code = paymentOf(view)?.link_code;
  if (!link_code || !takesAnother(view)) return null;
  return (
    <a
      class={`button ${kind}`}
      href={`/l/${link_code}`}
      onClick={(event) => {
        event.preventDefault();
        actions.newPayment();
      }}
    >
      {children}
    </a>
  );
}

export const Confirming = (props: ScreenProps) => (
  <>
    <Heading>{props.words.confirming_title}</Heading>
    <ol class="steps">
      <li class="done">{props.words.sent}</li>
      <li class="now" aria-current="step">{props.words.seen}</li>
      <li>{props.words.final}</li>
    </ol>
    <p>{props.words.safe_to_leave}</p>
    <Explorer {...props} />
  </>
);

export function Confirmed(props: ScreenProps) {
  const { view, words, actions } = props;
  const payment = paymentOf(view);
  if (!payment) return null;
  const { leaves_at, now } = view;
  const left = leaves_at === null ? null : Math.max(0, Math.ceil((leaves_at - now) / 1000));
  return (
    <>
      <svg class="tick" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="M15 24.5l6.5 6.5L34 18" />
      </svg>
      <Heading>{words.confirmed_title}</Heading>
      <p>{words.confirmed_text(payment.merchant_name)}</p>
      <Facts of={[referenceOf(view, words)]} />
      {payment.return_url && (
        <a class="button primary" href={shopAddress(payment.return_url, payment)}>
          {left === null ? words.to_shop : words.to_shop_in(left)}
        </a>
      )}
      {left !== null && <Button onPress={actions.stay}>{words.stay}</Button>}
      <NewPayment {...props}>{words.another_payment}</NewPayment>
      <Button kind="quiet" onPress={actions.print}>{words.print}</Button>
      <Explorer {...props} />
    </>
  );
}

export function Expired(props: ScreenProps) {
  const { view, words } = props;
  return (
    <>
      <Heading>{words.expired_title}</Heading>
      <p>{words.expired_text}</p>
      <Facts of={[referenceOf(view, words)]} />
      <NewPayment {...props} kind="primary">{words.new_payment}</NewPayment>
      <AskShop {...props} />
    </>
  );
}

/** Money came, and it is not what was due. */
export function Money(props: ScreenProps & { readonly title: string; readonly goes_on: boolean }) {
  const { view, words, actions, title, goes_on, plain } = props;
  const payment = paymentOf(view);
  const stray = unreadMoney(view);
  if (!payment || !stray) return null;
  const { language } = view;
  const due = tokensDue(payment, language);
  const token = TOKENS.find((known) => known === stray.token) as Token | undefined;
  const arrived = token ? tokenText(stray.amount, token, language) : words.unknown_token;
  const short = BigInt(payment.token_amount) - BigInt(stray.amount);
  const missing = stray.reason === 'short' && short > 0n
    ? ([[words.missing, tokenText(String(short), payment.token, language)]] as const)
    : [];
  return (
    <>
      <Heading>{title}</Heading>
      <Facts
        of={[[words.arrived, arrived], [words.due, due], ...missing, referenceOf(view, words)]}
      />
      <p>{words.shop_told}</p>
      {goes_on && <p>{words.still_open}</p>}
      {goes_on && <Button kind="primary" onPress={actions.readMoney}>{words.pay_whole}</Button>}
      {!goes_on && !view.blocked && <NewPayment {...props}>{words.new_payment}</NewPayment>}
      <WithoutScript>{plain}</WithoutScript>
      <AskShop {...props} />
    </>
  );
}

type EndName = 'failed' | 'blocked' | 'closed' | 'not_found';

/** An end without a way on but the shop. */
export const End = ({ name, ...props }: ScreenProps & { readonly name: EndName }) => (
  <>
    <Heading>{props.words[`${name}_title`]}</Heading>
    <p>{props.words[`${name}_text`]}</p>
    {referredTo(props.view) && <Facts of={[referenceOf(props.view, props.words)]} />}
    {name === 'failed' && <NewPayment {...props}>{props.words.new_payment}</NewPayment>}
    <AskShop {...props} />
  </>
);
