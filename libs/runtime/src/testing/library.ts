import { aggregate, due } from '@tender/eventing';
import { accept, isoTime, timeOf, type Decider, type Decision } from '@tender/kernel';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Lent {
  readonly type: 'Lent';
  readonly data: {
    readonly merchant_id: string;
    readonly due_at: string;
    readonly stubborn: boolean;
  };
}
export interface Reminded {
  readonly type: 'Reminded';
  readonly data: { readonly for: string; readonly next_at: string | null };
}
type Book =
  | { readonly status: 'unknown' }
  | (Lent['data'] & { readonly status: 'lent'; readonly next_at: string | null });
interface Lend {
  readonly type: 'Lend';
  readonly book: Lent['data'];
}
interface Remind {
  readonly type: 'Remind';
  readonly due_at: string;
}
interface Postpone {
  readonly type: 'Postpone';
  readonly next_at: string;
}

/** Two reminders, a day apart. */
const rules = {
  initial: { status: 'unknown' },
  evolve(state: Book, event: Lent | Reminded): Book {
    if (event.type === 'Lent') {
      return { ...event.data, status: 'lent', next_at: event.data.due_at };
    }
    return state.status === 'unknown' ? state : { ...state, next_at: event.data.next_at };
  },
  decide: {
    Lend: ({ book }: Lend): Decision<Lent, never> => accept({ type: 'Lent', data: book }),
    Remind({ due_at }: Remind, state: Book): Decision<Reminded, never> {
      if (state.status === 'unknown' || state.stubborn || due_at !== state.next_at) return accept();
      const again = due_at === state.due_at;
      const next_at = again ? isoTime(timeOf(due_at) + DAY_MS) : null;
      return accept({ type: 'Reminded', data: { for: due_at, next_at } });
    },
    Postpone: ({ next_at }: Postpone): Decision<Reminded, never> =>
      accept({ type: 'Reminded', data: { for: next_at, next_at } }),
  },
} satisfies Decider<Book, Lent | Reminded>;

export const book = aggregate({
  noun: 'book',
  modes: ['test'],
  decider: rules,
  begins: ['Lend'],
  view: {
    name: 'library.books@1',
    table: 'library.books',
    merchantOf: ({ merchant_id }) => merchant_id,
    columns: { next_at: ['text', ({ next_at }) => next_at] },
  },
});
export const reminders = due({
  name: 'library.remind',
  of: book,
  at: 'next_at',
  command: (_, due_at) => ({ type: 'Remind', due_at }) as const,
});

/** Of the service `library`. */
export class CreateBooks1700000000000 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(`create table library.books_g1 (id text primary key, state json not null,
      position text not null, merchant_id text not null, mode text not null, next_at text collate "C")`);
    await runner.query('create index books_due_g1 on library.books_g1 (next_at)');
    await runner.query('create view library.books as select * from library.books_g1');
    await runner.query(`insert into library.generations values ('books', 1, 'live')`);
  }
  async down(): Promise<void> {
    return;
  }
}

