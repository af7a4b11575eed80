import type { Words } from '../words/words';
import { Heading } from './parts';

/** Why there is no page. */
export interface TroubleProps {
  readonly status: number;
  /** Seconds. */
  readonly retry_after: number | null;
  readonly correlation_id: string | null;
}

const TITLES: Readonly<Record<number, 'not_found_title' | 'busy_title' | 'too_often_title'>> = {
  404: 'not_found_title',
  405: 'not_found_title',
  429: 'too_often_title',
  503: 'busy_title',
};

export const troubleTitle = ({ status }: TroubleProps, words: Words): string =>
  words[TITLES[status] ?? 'error_title'];

/** Without a script and without an order: what happened, where the money is, and when to come again. */
export function Trouble({ words, ...trouble }: TroubleProps & { readonly words: Words }) {
  const { status, retry_after, correlation_id } = trouble;
  const is_missing = TITLES[status] === 'not_found_title';
  const is_fault = TITLES[status] === undefined;
  return (
    <main data-state={is_missing ? 'not found' : is_fault ? 'error' : 'busy'}>
      <section>
        <Heading>{troubleTitle(trouble, words)}</Heading>
        <p>{is_missing ? words.not_found_text : words.if_paid}</p>
        {retry_after !== null && <p>{words.come_again(retry_after)}</p>}
        {is_fault && correlation_id && <p>{words.tell_shop}</p>}
        {is_fault && correlation_id && <p class="code">{correlation_id}</p>}
        {!is_missing && <a class="button primary" href="">{words.try_again}</a>}
      </section>
    </main>
  );
}
