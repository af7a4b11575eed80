import type { View } from '../view';
import { handedIn, paymentOf } from '../view';
import type { Words } from '../words/words';
import { AskShop, Button, Heading, WithoutScript, type ScreenProps } from './parts';

/** Where the money is: a customer who does not know pays twice. */
function whereMoneyIs(view: View, words: Words, otherwise: string): string {
  if (handedIn(view) !== null) return words.kept_sent;
  return view.approved ? words.kept_approved : otherwise;
}

/** Busy or offline: what was typed and chosen is kept. */
export function Interrupted({ view, words, actions, plain }: ScreenProps) {
  const { interruption, now } = view;
  if (!interruption) return null;
  const seconds = Math.max(0, Math.ceil((interruption.retry_at - now) / 1000));
  const { state } = interruption;
  return (
    <>
      <Heading>{state === 'busy' ? words.busy_title : words.offline_title}</Heading>
      <p>{whereMoneyIs(view, words, words.kept)}</p>
      <p class="scripted">{words.retry_in(seconds)}.</p>
      <Button kind="primary" onPress={actions.retry}>{words.retry_now}</Button>
      <WithoutScript>{plain}</WithoutScript>
    </>
  );
}

/** Tried again by a press alone: a customer who is away takes no place. Without a script the link asks anew. */
export function FullLink({ view, words, actions }: ScreenProps) {
  const { interruption, now } = view;
  if (!interruption) return null;
  const minutes = Math.max(0, Math.ceil((interruption.retry_at - now) / 60_000));
  return (
    <>
      <Heading>{words.full_title}</Heading>
      <p>{words.full_text}</p>
      <p>{words.free_in(minutes)}</p>
      <a
        class="button primary"
        href=""
        onClick={(event) => {
          event.preventDefault();
          actions.retry();
        }}
      >
        {words.try_again}
      </a>
      <AskShop view={view} words={words} />
    </>
  );
}

export function Fault({ view, words, actions, plain }: ScreenProps) {
  const number = view.fault?.correlation_id;
  const otherwise = paymentOf(view) ? words.if_paid : words.nothing_paid;
  return (
    <>
      <Heading>{words.error_title}</Heading>
      <p>{whereMoneyIs(view, words, otherwise)} {number && words.tell_shop}</p>
      {number && <p class="code">{number}</p>}
      <Button kind="primary" onPress={actions.retry}>{words.try_again}</Button>
      {number && <Button onPress={() => actions.copy(number)}>{view.note === 'copied' ? words.copied : words.copy}</Button>}
      <WithoutScript>{plain}</WithoutScript>
    </>
  );
}
