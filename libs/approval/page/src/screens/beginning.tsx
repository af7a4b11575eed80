import { Button, Heading, Note, SecretField, Submit, Waits, type ScreenProps } from './parts';

export const Opening = ({ words }: ScreenProps) => (
  <>
    <Heading>{words.opening}</Heading>
    <Waits>{words.waiting}</Waits>
  </>
);

/** The link leads nowhere, this browser cannot, or the program does not answer. */
export function Trouble({ view, words, actions }: ScreenProps) {
  const { title, text } = words.troubles[view.state as keyof typeof words.troubles];
  return (
    <>
      <Heading>{title}</Heading>
      <p>{text}</p>
      <VoidKit {...{ view, words }} />
      {view.state === 'offline' && (
        <Button kind="primary" waits={view.waiting} onPress={() => actions.retry()}>
          {words.try_again}
        </Button>
      )}
    </>
  );
}

/** What was saved opens nothing: its wallet was never confirmed. */
export const VoidKit = ({ view, words }: Pick<ScreenProps, 'view' | 'words'>) =>
  view.kit_void ? <p class="note">{words.kit_void}</p> : null;

/** What will happen; a merchant with a wallet of its own makes its passkey here. */
export function Welcome(props: ScreenProps) {
  const { view, words, actions } = props;
  if (view.setup?.wallet_type === 'external') return <External {...props} />;
  return (
    <>
      <Heading>{words.welcome_title}</Heading>
      {words.welcome_text.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Button kind="primary" onPress={() => actions.begin()}>{words.begin}</Button>
    </>
  );
}

const External = ({ view, words, actions }: ScreenProps) => (
  <>
    <Heading>{words.external_title}</Heading>
    <p>{words.external_text}</p>
    <Note view={view} words={words} />
    <Button kind="primary" waits={view.waiting} onPress={() => actions.addPasskey(false)}>
      {words.make_passkey}
    </Button>
    {view.waiting && <Asked words={words} />}
  </>
);

export const Asked = ({ words }: Pick<ScreenProps, 'words'>) => <Waits>{words.passkey_asked}</Waits>;

/** A passphrase for the kit, and a passkey. Nothing of it is remembered by the page's own memory of forms. */
export function Passphrase({ view, words, actions }: ScreenProps) {
  const has_passkey = (view.setup?.passkeys.length ?? 0) > 0;
  const take = (form: HTMLFormElement, with_known: boolean) => {
    if (view.waiting) return;
    const fields = new FormData(form);
    actions.secure(String(fields.get('passphrase')), String(fields.get('again')), with_known);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        take(event.currentTarget, has_passkey);
      }}
    >
      <Heading>{words.passphrase_title}</Heading>
      <p>{words.passphrase_text}</p>
      <NewPassphrase {...{ view, words }} />
      <VoidKit {...{ view, words }} />
      <Note view={view} words={words} />
      <Submit waits={view.waiting}>{has_passkey ? words.use_known : words.make_passkey}</Submit>
      {has_passkey && (
        <button
          type="button"
          class="quiet"
          aria-disabled={view.waiting || undefined}
          onClick={({ currentTarget: { form } }) => form && take(form, false)}
        >
          {words.make_another}
        </button>
      )}
      {view.waiting && <Asked words={words} />}
    </form>
  );
}

/** Twice; it is typed for a kit that is made. */
export const NewPassphrase = ({ view, words }: Pick<ScreenProps, 'view' | 'words'>) => (
  <>
    {/* Password managers keep a passphrase by the name of its account. */}
    <input type="text" name="username" autoComplete="username" hidden readOnly value={view.setup?.email} />
    <SecretField
      {...{ view, name: 'passphrase', label: words.passphrase }}
      hint={words.passphrase_rule}
      fault={words.passphrase_short}
    />
    <SecretField {...{ view, name: 'again', label: words.again }} fault={words.again_differs} />
  </>
);

export const KitAlone = ({ words, actions }: ScreenProps) => (
  <>
    <Heading>{words.kit_alone_title}</Heading>
    <p>{words.kit_alone_text}</p>
    <Button kind="primary" onPress={() => actions.acceptKitAlone()}>{words.kit_alone_go}</Button>
    <Button onPress={() => actions.otherPasskey()}>{words.other_passkey}</Button>
  </>
);
