import { Asked, NewPassphrase, VoidKit } from './beginning';
import { Button, fileIn, Heading, KitField, Note, SecretField, Submit, Tick, Waits, type ScreenProps } from './parts';

/** By what share C is opened, so that another passkey can seal it; and what a lost passphrase is replaced with. */
export function Ways({ view, words, actions }: ScreenProps) {
  const has_passkey = (view.setup?.passkeys.length ?? 0) > 0;
  return (
    <>
      <Heading>{words.ways_title}</Heading>
      <p class="code">{view.setup?.wallet_address}</p>
      <VoidKit {...{ view, words }} />
      <h2>{words.add_title}</h2>
      <p>{words.ways_text}</p>
      <Note view={view} words={words} />
      {has_passkey && (
        <Button kind="primary" waits={view.waiting} onPress={() => actions.useKnown()}>
          {words.way_passkey}
        </Button>
      )}
      <Button
        kind={has_passkey ? 'plain' : 'primary'}
        waits={view.waiting}
        onPress={() => actions.showKitForm()}
      >
        {words.way_kit}
      </Button>
      {view.waiting && <Asked words={words} />}
      {has_passkey && (
        <>
          <h2>{words.new_kit_title}</h2>
          <p>{words.new_kit_when}</p>
          <Button waits={view.waiting} onPress={() => actions.showNewKitForm()}>
            {words.new_kit_begin}
          </Button>
        </>
      )}
    </>
  );
}

export const OpenKit = ({ view, words, actions }: ScreenProps) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      if (view.waiting) return;
      const form = event.currentTarget;
      actions.openKit(fileIn(form), String(new FormData(form).get('passphrase')));
    }}
  >
    <Heading>{words.open_kit_title}</Heading>
    <p>{words.open_kit_text}</p>
    <KitField {...{ view, words }} label={words.kit_file} />
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

/** The passphrase is lost: the old file, a passkey, and another passphrase. */
export const NewKit = ({ view, words, actions }: ScreenProps) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      if (view.waiting) return;
      const form = event.currentTarget;
      const fields = new FormData(form);
      actions.renewKit(fileIn(form), String(fields.get('passphrase')), String(fields.get('again')));
    }}
  >
    <Heading>{words.new_kit_title}</Heading>
    <p>{words.new_kit_text}</p>
    <KitField {...{ view, words }} label={words.old_kit_file} />
    <NewPassphrase {...{ view, words }} />
    <Note view={view} words={words} />
    <Submit waits={view.waiting}>{words.use_known}</Submit>
    <Button kind="quiet" waits={view.waiting} onPress={() => actions.back()}>{words.back}</Button>
    {view.waiting && <Waits>{words.making_kit}</Waits>}
  </form>
);

export const KitDone = ({ words }: ScreenProps) => (
  <>
    <Tick />
    <Heading>{words.kit_done_title}</Heading>
    <p>{words.kit_done_text}</p>
    <p>{words.close}</p>
  </>
);

export function NewPasskey({ view, words, actions }: ScreenProps) {
  // One that has opened the share has it.
  const has_other = view.setup?.passkeys.some(({ id }) => id !== view.opened_by);
  return (
    <>
      <Heading>{words.new_title}</Heading>
      <p>{words.new_text}</p>
      <Note view={view} words={words} />
      <Button kind="primary" waits={view.waiting} onPress={() => actions.addPasskey(false)}>
        {words.make_passkey}
      </Button>
      {has_other && (
        <Button waits={view.waiting} onPress={() => actions.addPasskey(true)}>
          {words.use_made}
        </Button>
      )}
      <Button kind="quiet" waits={view.waiting} onPress={() => actions.back()}>{words.back}</Button>
      {view.waiting && <Asked words={words} />}
    </>
  );
}

export const PasskeyDone = ({ view, words }: ScreenProps) => (
  <>
    <Tick />
    <Heading>{words.passkey_done_title}</Heading>
    {!view.is_sealed && <p class="note">{words.passkey_done_alone}</p>}
    <p>{words.passkey_done_text}</p>
    <p>{words.close}</p>
  </>
);
