import { STAGES, type Stage } from '../view';
import { Button, Heading, Note, Tick, Waits, type ScreenProps } from './parts';

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

export function Save({ view, words, actions }: ScreenProps) {
  const { kit, kit_saved, is_sealed, waiting } = view;
  return (
    <>
      <Heading>{words.save_title}</Heading>
      <p>{words.save_text}</p>
      {!is_sealed && <p class="note">{words.save_alone}</p>}
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
      <Note view={view} words={words} />
      <button
        type="button"
        class={kit_saved ? 'primary' : 'plain'}
        aria-disabled={!kit_saved || waiting || undefined}
        aria-describedby={kit_saved ? undefined : 'save-first'}
        onClick={() => kit_saved && !waiting && actions.confirm()}
      >
        {words.saved}
      </button>
      {!kit_saved && <p class="hint" id="save-first">{words.save_first}</p>}
      {waiting && <Waits>{words.confirming}</Waits>}
    </>
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
