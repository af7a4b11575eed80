import type { View } from '../view';
import { handedIn } from '../view';
import type { Words } from '../words/words';
import { Button, Heading, WithoutScript, type ScreenProps } from './parts';

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

export function Fault({ view, words, actions, plain }: ScreenProps) {
  const number = view.fault?.correlation_id;
  return (
    <>
      <Heading>{words.error_title}</Heading>
      <p>{whereMoneyIs(view, words, words.nothing_paid)} {words.tell_shop}</p>
      {number && <p class="code">{number}</p>}
      <Button kind="primary" onPress={actions.retry}>{words.try_again}</Button>
      {number && <Button onPress={() => actions.copy(number)}>{view.note === 'copied' ? words.copied : words.copy}</Button>}
      <WithoutScript>{plain}</WithoutScript>
    </>
  );
}
