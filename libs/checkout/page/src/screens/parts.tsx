import type { ComponentChildren } from 'preact';
import type { Actions } from '../actions';
import { LANGUAGES, type Language } from '@tender/page/browser';
import type { Words } from '../words/words';
import type { View } from '../view';

/** What every screen is given. */
export interface ScreenProps {
  readonly view: View;
  readonly words: Words;
  readonly actions: Actions;
  /** What a browser without scripts shows with this screen; the server alone has it. */
  readonly plain?: ComponentChildren;
}

/**
 * The server alone fills it. The style shows it where scripts are off, and also, after a while, where the script has
 * not come: the script's first drawing takes it away.
 */
export const WithoutScript = ({ children }: { children?: ComponentChildren }) =>
  children ? <div class="unscripted">{children}</div> : null;

/** The heading of a screen; focus goes there with each step, so that it is read out. */
export const Heading = ({ children }: { children: ComponentChildren }) => (
  <h1 tabIndex={-1}>{children}</h1>
);

interface ButtonProps {
  readonly onPress: () => void;
  readonly kind?: 'primary' | 'plain' | 'quiet';
  readonly children: ComponentChildren;
  readonly waits?: boolean;
}

/** `waits`: it can be focused, and pressing it does nothing for now. */
export const Button = ({ onPress, kind = 'plain', waits = false, children }: ButtonProps) => (
  <button type="button" class={kind} aria-disabled={waits || undefined} onClick={waits ? undefined : onPress}>
    {children}
  </button>
);

export const Note = ({ view, words }: Pick<ScreenProps, 'view' | 'words'>) =>
  view.note === 'rejected' || view.note === 'wallet_failed' ? (
    <p class="note" role="status">{words[view.note]}</p>
  ) : null;

/** Pairs of a name and what it stands for. */
export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Longer ones are written smaller: a sum and its currency stay on one line. */
const AMOUNT_LETTERS_MAX = 9;

export const Amount = ({ of }: { readonly of: string }) => (
  <p class={of.length > AMOUNT_LETTERS_MAX ? 'amount long' : 'amount'}>{of}</p>
);

interface LanguagesProps {
  readonly language: Language;
  readonly words: Pick<Words, 'language'>;
  readonly onSpeak?: (language: Language) => void;
}

/** The page in another language: loaded anew where nothing hears the press. */
export const Languages = ({ language: current, words, onSpeak }: LanguagesProps) => (
  <nav aria-label={words.language}>
    {LANGUAGES.map((language) => (
      <a
        key={language}
        href={`?lang=${language}`}
        lang={language}
        hreflang={language}
        aria-current={language === current ? 'true' : undefined}
        onClick={(event) => {
          event.preventDefault();
          onSpeak?.(language);
        }}
      >
        {language === 'en' ? 'English' : 'Français'}
      </a>
    ))}
  </nav>
);

interface AskShopProps {
  readonly view: { readonly page: { readonly shown: { readonly support_email: string } | null } };
  readonly words: Pick<Words, 'ask_shop'>;
}

/** Where the customer finds a person. */
export function AskShop({ view, words }: AskShopProps) {
  const { shown } = view.page;
  if (!shown) return null;
  return (
    <p class="ask">
      {words.ask_shop} <a href={`mailto:${shown.support_email}`}>{shown.support_email}</a>
    </p>
  );
}

/** The shop's address with what happened; the shop asks the API, not the address. */
export function shopAddress(
  address: string,
  payment: { readonly payment_id: string; readonly status: string } | null,
): string {
  if (!payment) return address;
  const url = new URL(address);
  url.searchParams.set('payment_id', payment.payment_id);
  url.searchParams.set('status', payment.status);
  return url.href;
}
