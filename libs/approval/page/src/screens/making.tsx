import { STAGES, type Stage } from '../view';
import { Button, fileIn, Heading, KitField, Note, Submit, Tick, Waits, type ScreenProps } from './parts';

/** How far it has come; a fault ends it, and it begins anew on request. */
export function Making({ view, words, actions }: ScreenProps) {
  return (
    <>
      <Heading>{words.making_title}</Heading>
      {view.note === null && <p>{words.making_text}</p>}
      <ol class="steps">
        {STAGES.map((stage) => (
          <li key={stage} class={progressOf(stage, view.stage)}>
            {words.stages[stage]}
          </li>
        ))}
      </ol>
      {/* Said with each stage; the list is for eyes. */}
      <p class="said" role="status">{view.note === null && words.stages[view.stage]}</p>
      <Note view={view} words={words} />
      {view.note && (
        <Button kind="primary" onPress={() => actions.retry()}>{words.try_again}</Button>
      )}
    </>
  );
}

function progressOf(stage: Stage, now: Stage): 'done' | 'now' | undefined {
  if (stage === now) return 'now';
  return STAGES.indexOf(stage) < STAGES.indexOf(now) ? 'done' : undefined;
}

/** Nothing goes on before the file is shown to be there: without it the money could never leave. */
export function Save({ view, words, actions }: ScreenProps) {
  const { kit, kit_saved, is_sealed, waiting } = view;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        actions.checkKit(fileIn(event.currentTarget));
      }}
    >
      <Heading>{words.save_title}</Heading>
      <p>{words.save_text}</p>
      <ul>
        <li>{words.kit_lost}</li>
        <li>{is_sealed ? words.passphrase_lost : words.passphrase_lost_alone}</li>
      </ul>
      {kit && (
        <>
          <p class="code">{kit.name}</p>
          <a
            class={kit_saved ? 'button' : 'button primary'}
            href={kit.address}
            download={kit.name}
            onClick={() => actions.took()}
          >
            {kit_saved ? words.download_again : words.download}
          </a>
        </>
      )}
      <KitField {...{ view, words }} label={words.saved_file} hint={words.saved_hint} />
      <Note view={view} words={words} />
      <Submit kind={kit_saved ? 'primary' : 'plain'} waits={waiting}>{words.check_kit}</Submit>
      {waiting && <Waits>{words.confirming}</Waits>}
    </form>
  );
}

/** The tool that signs with both of the merchant's parts and nothing of ours. */
const exitCommand = (file: string): string =>
  `npm run exit-wallet -- --recovery ${file} --to ADDRESS --token USDC --amount all --rpc URL`;

export const Done = ({ view, words }: ScreenProps) => (
  <>
    <Tick />
    <Heading>{words.done_title}</Heading>
    <p>{words.done_text}</p>
    <h2>{words.address}</h2>
    <p class="code wallet">{view.wallet_address}</p>
    <h2>{words.leave}</h2>
    <p>{words.leave_text}</p>
    <p class="code command">{exitCommand(view.kit?.name ?? 'FILE')}</p>
    <p>{words.close}</p>
  </>
);
