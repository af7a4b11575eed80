import { Asked } from './beginning';
import { Button, Heading, Note, SecretField, Submit, Tick, Waits, type ScreenProps } from './parts';

/** By what share C is opened, so that another passkey can seal it. */
export const Ways = ({ view, words, actions }: ScreenProps) => (
  <>
    <Heading>{words.ways_title}</Heading>
    <p class="code">{view.setup?.wallet_address}</p>
    <p>{words.ways_text}</p>
    <Note view={view} words={words} />
    {(view.setup?.passkeys.length ?? 0) > 0 && (
      <Button kind="primary" waits={view.waiting} onPress={() => actions.useKnown()}>
        {words.way_passkey}
      </Button>
    )}
    <Button
      kind={view.setup?.passkeys.length ? 'plain' : 'primary'}
      waits={view.waiting}
      onPress={() => actions.showKitForm()}
    >
      {words.way_kit}
    </Button>
    {view.waiting && <Asked words={words} />}
  </>
);

export function OpenKit({ view, words, actions }: ScreenProps) {
  const is_missing = view.malformed.includes('kit');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (view.waiting) return;
        const fields = new FormData(event.currentTarget);
        const file = fields.get('kit');
        const given = file instanceof File && file.size > 0 ? file : null;
        actions.openKit(given, String(fields.get('passphrase')));
      }}
    >
      <Heading>{words.open_kit_title}</Heading>
      <p>{words.open_kit_text}</p>
      <label>
        <span>{words.kit_file}</span>
        <input
          type="file"
          name="kit"
          accept=".json,application/json"
          aria-invalid={is_missing || undefined}
          aria-describedby={is_missing ? 'kit-fault' : undefined}
        />
        {is_missing && <p class="fault" id="kit-fault">{words.kit_missing}</p>}
      </label>
      <SecretField
        {...{ view, name: 'passphrase', label: words.passphrase, kind: 'current-password' }}
        fault={words.passphrase_short}
      />
      <Note view={view} words={words} />
      <Submit waits={view.waiting}>{words.open}</Submit>
      <Button kind="quiet" waits={view.waiting} onPress={() => actions.back()}>{words.back}</Button>
      {view.waiting && <Waits>{words.opening_kit}</Waits>}
    </form>
  );
}

export const NewPasskey = ({ view, words, actions }: ScreenProps) => (
  <>
    <Heading>{words.new_title}</Heading>
    <p>{words.new_text}</p>
    <Note view={view} words={words} />
    <Button kind="primary" waits={view.waiting} onPress={() => actions.addPasskey()}>
      {words.make_passkey}
    </Button>
    {view.waiting && <Asked words={words} />}
  </>
);

export const PasskeyDone = ({ view, words }: ScreenProps) => (
  <>
    <Tick />
    <Heading>{words.passkey_done_title}</Heading>
    {!view.is_sealed && <p class="note">{words.passkey_done_alone}</p>}
    <p>{words.passkey_done_text}</p>
    <p>{words.close}</p>
  </>
);
