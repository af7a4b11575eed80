import type { Actions } from '../actions';
import type { View } from '../view';
import type { Words } from '../words/words';
import { COUNTRIES } from './countries';
import { Button, Heading, type ScreenProps } from './parts';

/** What fields ask of the page that they are on. */
export interface FormProps {
  readonly view: Pick<View, 'typed' | 'malformed'>;
  readonly words: Pick<Words, 'malformed' | 'email_malformed'>;
  readonly actions: Pick<Actions, 'type'>;
}

interface FieldProps extends FormProps {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly required?: boolean;
  readonly type?: 'email' | 'tel' | 'text';
  /** What is said beside it when it cannot be right. */
  readonly said?: string;
  /** What it is for. */
  readonly hint?: string;
}

export function Field({ view, words, actions, name, label, autocomplete, required, type = 'text', said, hint }: FieldProps) {
  said ??= type === 'email' ? words.email_malformed : words.malformed;
  const fault = view.malformed.includes(name) ? said : null;
  return (
    <label>
      <span>{label}</span>
      {hint && <small>{hint}</small>}
      <input
        name={name}
        type={type}
        list={undefined}
        autocomplete={autocomplete}
        required={required}
        maxLength={type === 'tel' ? 50 : 200}
        value={view.typed[name] ?? ''}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${name}-fault` : undefined}
        onInput={(event) => actions.type(name, event.currentTarget.value)}
      />
      {fault && <span class="fault" id={`${name}-fault`} role="alert">{fault}</span>}
    </label>
  );
}

interface SentFormProps {
  readonly onSend: (blank: readonly string[]) => void;
  readonly children: preact.ComponentChildren;
}

/** Browsers take blanks for something that was filled in. */
const blankIn = (form: HTMLFormElement): readonly string[] =>
  [...form.querySelectorAll<HTMLInputElement>('[required]')]
    .filter(({ value }) => value.trim() === '')
    .map(({ name }) => name);

/** Enter sends it, as a press on its button does. */
const Form = ({ onSend, children }: SentFormProps) => (
  <form
    method="post"
    onSubmit={(event) => {
      event.preventDefault();
      onSend(blankIn(event.currentTarget));
    }}
  >
    {children}
  </form>
);

export function Email(props: ScreenProps) {
  const { view, words, actions } = props;
  return (
    <Form onSend={actions.giveEmail}>
      <Heading>{words.email_title}</Heading>
      <p>{words.email_why}</p>
      <EmailField {...props} />
      <button class="primary" aria-disabled={view.waiting || undefined}>{words.next}</button>
      {!view.page.shown?.collect_customer_info && (
        <Button kind="quiet" onPress={actions.skipEmail} waits={view.waiting}>{words.skip}</Button>
      )}
    </Form>
  );
}

export const EmailField = (props: ScreenProps) => (
  <Field {...props} name="email" type="email" label={props.words.email} autocomplete="email" required />
);

export function Info(props: ScreenProps) {
  const { view, words, actions } = props;
  return (
    <Form onSend={actions.giveInfo}>
      <Heading>{words.info_title}</Heading>
      <p>{words.info_why}</p>
      <InfoFields {...props} />
      <button class="primary" aria-disabled={view.waiting || undefined}>{words.next}</button>
    </Form>
  );
}

export function InfoFields(props: ScreenProps) {
  const { fields } = props.words;
  return (
    <>
      <Field {...props} name="name" label={fields.name} autocomplete="name" required />
      <Field {...props} name="company" label={fields.company} autocomplete="organization" />
      <Field {...props} name="phone" type="tel" label={fields.phone} autocomplete="tel" />
      <Field {...props} name="billing_address_line1" label={fields.billing_address_line1} autocomplete="address-line1" required />
      <Field {...props} name="billing_address_line2" label={fields.billing_address_line2} autocomplete="address-line2" />
      <Field {...props} name="billing_postal_code" label={fields.billing_postal_code} autocomplete="postal-code" required />
      <Field {...props} name="billing_city" label={fields.billing_city} autocomplete="address-level2" required />
      <Field {...props} name="billing_state" label={fields.billing_state} autocomplete="address-level1" />
      <Country {...props} />
    </>
  );
}

function Country({ view, words, actions }: ScreenProps) {
  const names = new Intl.DisplayNames(view.language, { type: 'region' });
  const listed = COUNTRIES.map((code) => [code, names.of(code) ?? code] as const).sort(
    ([, one], [, other]) => one.localeCompare(other, view.language),
  );
  return (
    <label>
      <span>{words.fields.billing_country}</span>
      <select
        name="billing_country"
        autocomplete="country"
        required
        value={view.typed.billing_country ?? ''}
        onChange={(event) => actions.type('billing_country', event.currentTarget.value)}
      >
        <option value="">{words.choose_country}</option>
        {listed.map(([code, name]) => <option key={code} value={code}>{name}</option>)}
      </select>
    </label>
  );
}

export function Continue({ view, words, actions }: ScreenProps) {
  return (
    <>
      <Heading>{words.continue_title}</Heading>
      <Who view={view} />
      <Button kind="primary" onPress={actions.goOn} waits={view.waiting}>{words.continue_to}</Button>
    </>
  );
}

/** The customer that the shop knows, masked. */
export function Who({ view }: Pick<ScreenProps, 'view'>) {
  const { customer } = view.page.shown ?? {};
  return (
    <p class="who">
      {customer?.name && <strong>{customer.name}</strong>}
      <span>{customer?.email}</span>
    </p>
  );
}
