import { LANGUAGES, type Language } from '@tender/page/browser';
import type { ComponentChildren } from 'preact';
import type { Actions } from '../actions';
import type { Field, View } from '../view';
import type { Words } from '../words/words';

/** What every screen is given. */
export interface ScreenProps {
  readonly view: View;
  readonly words: Words;
  readonly actions: Actions;
}

/** The heading of a screen; focus goes there with each step, so that it is read out. */
export const Heading = ({ children }: { children: ComponentChildren }) => (
  <h1 tabIndex={-1}>{children}</h1>
);

interface ButtonProps {
  readonly onPress: () => void;
  readonly kind?: 'primary' | 'plain' | 'quiet';
  readonly children: ComponentChildren;
  /** It can be focused, and pressing it does nothing for now. */
  readonly waits?: boolean;
}

export const Button = ({ onPress, kind = 'plain', waits = false, children }: ButtonProps) => (
  <button
    type="button"
    class={kind}
    aria-disabled={waits || undefined}
    onClick={waits ? undefined : onPress}
  >
    {children}
  </button>
);

export const Submit = ({
  kind = 'primary', waits, children,
}: Pick<ButtonProps, 'kind' | 'waits' | 'children'>) => (
  <button class={kind} aria-disabled={waits || undefined}>
    {children}
  </button>
);

interface NoteProps<Name extends string> {
  readonly view: { readonly note: Name | null };
  readonly words: { readonly notes: Readonly<Record<Name, string>> };
}

/** What went wrong, said aloud; the place is there before the words are. */
export const Note = <Name extends string>({ view, words }: NoteProps<Name>) => (
  <div role="status">{view.note && <p class="note">{words.notes[view.note]}</p>}</div>
);

/** All is done. */
export const Tick = () => (
  <svg class="tick" viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="22" />
    <path d="M14 25l7 7 13-15" />
  </svg>
);

export const Waits = ({ children }: { children: ComponentChildren }) => (
  <p class="waits">
    <i aria-hidden="true" />
    {children}
  </p>
);

interface TextFieldProps {
  readonly name: Field;
  readonly label: string;
  readonly hint?: string;
  /** Said where what is in it does not do. */
  readonly fault: string;
  readonly view: View;
  readonly kind?: 'new-password' | 'current-password';
}

export function SecretField({ name, label, hint, fault, view, kind = 'new-password' }: TextFieldProps) {
  const is_malformed = view.malformed.includes(name);
  const described = is_malformed ? `${name}-fault` : hint ? `${name}-hint` : undefined;
  return (
    <label>
      <span>{label}</span>
      {hint && <small id={`${name}-hint`}>{hint}</small>}
      <input
        type="password"
        name={name}
        autoComplete={kind}
        required
        aria-invalid={is_malformed || undefined}
        aria-describedby={described}
      />
      {is_malformed && <p class="fault" id={`${name}-fault`}>{fault}</p>}
    </label>
  );
}

interface KitFieldProps extends Pick<ScreenProps, 'view' | 'words'> {
  readonly label: string;
  readonly hint?: string;
}

/** Where the file of a recovery kit is chosen. */
export function KitField({ view, words, label, hint }: KitFieldProps) {
  const is_missing = view.malformed.includes('kit');
  const described = is_missing ? 'kit-fault' : hint ? 'kit-hint' : undefined;
  return (
    <label>
      <span>{label}</span>
      {hint && <small id="kit-hint">{hint}</small>}
      <input
        type="file"
        name="kit"
        accept=".json,application/json"
        aria-invalid={is_missing || undefined}
        aria-describedby={described}
      />
      {is_missing && <p class="fault" id="kit-fault">{words.kit_missing}</p>}
    </label>
  );
}

/** What was chosen there; null: nothing. */
export function fileIn(form: HTMLFormElement): File | null {
  const file = new FormData(form).get('kit');
  return file instanceof File && file.size > 0 ? file : null;
}

interface FrameProps {
  readonly view: { readonly state: string; readonly language: Language; readonly waiting: boolean };
  readonly words: { readonly language: string };
  readonly actions: { speak(language: Language): void };
  readonly header?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What is around each screen of a page. */
export const Frame = ({ view, words, actions, header, children }: FrameProps) => (
  <main data-state={view.state}>
    {header}
    <section key={view.state} aria-busy={view.waiting || undefined}>{children}</section>
    <footer>
      <span>Tender</span>
      <Languages {...{ view, words, actions }} />
    </footer>
  </main>
);

/** The page in another language, at once. */
const Languages = ({ view, words, actions }: Pick<FrameProps, 'view' | 'words' | 'actions'>) => (
  <nav aria-label={words.language}>
    {LANGUAGES.map((language: Language) => (
      <a
        key={language}
        href={`?lang=${language}`}
        lang={language}
        hreflang={language}
        aria-current={language === view.language ? 'true' : undefined}
        onClick={(event) => {
          event.preventDefault();
          actions.speak(language);
        }}
      >
        {language === 'en' ? 'English' : 'Français'}
      </a>
    ))}
  </nav>
);
