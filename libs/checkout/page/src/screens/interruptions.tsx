import { Button, Heading, type ScreenProps } from './parts';

/** Busy or offline: what was typed and chosen is kept. */
export function Interrupted({ view, words, actions }: ScreenProps) {
  const { interruption, now } = view;
  if (!interruption) return null;
  const seconds = Math.max(0, Math.ceil((interruption.retry_at - now) / 1000));
  const { state } = interruption;
  return (
    <>
      <Heading>{state === 'busy' ? words.busy_title : words.offline_title}</Heading>
      <p>{state === 'busy' ? words.busy_text : words.offline_text} {words.retry_in(seconds)}.</p>
      <Button kind="primary" onPress={actions.retry}>{words.retry_now}</Button>
    </>
  );
}

export function Fault({ view, words, actions }: ScreenProps) {
  const number = view.fault?.correlation_id;
  return (
    <>
      <Heading>{words.error_title}</Heading>
      <p>{words.error_text}</p>
      {number && <p class="code">{number}</p>}
      <Button kind="primary" onPress={actions.retry}>{words.try_again}</Button>
      {number && <Button onPress={() => actions.copy(number)}>{view.note === 'copied' ? words.copied : words.copy}</Button>}
    </>
  );
}
