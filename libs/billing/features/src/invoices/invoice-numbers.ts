import {
  numberingStep,
  type BookName,
  type InvoiceBook,
  type InvoiceTerms,
  type KnownInvoice,
} from '@tender/billing-domain';
import { Inject, Injectable } from '@nestjs/common';
import { InTurn, recentlyUsed, type CommandOrigin, type Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { invariant, isoTime } from '@tender/kernel';
import { invoice } from './invoice.aggregate';
import { bookId, invoiceBook } from './invoice-book.aggregate';

const NUMBERED_BY = 'billing.number-invoices';
const YEARS_REMEMBERED = 10_000;
const INVOICES_REMEMBERED = 10_000;
const NEWEST_BOOK = `select max(book) as book from billing.invoices
  where merchant_id = $1 and mode = $2 and year = $3`;

type Year = Pick<BookName, 'merchant_id' | 'mode' | 'year'>;

/** Drafts that take their numbers in one append. */
interface Round {
  readonly invoice_ids: Set<string>;
  readonly book: Promise<InvoiceBook>;
}

/** Brings drafts to their numbers, by the steps of `invoice-book.ts`. Begun anywhere, it goes on from the log. */
@Injectable()
export class InvoiceNumbers {
  /** By book: the round that has not begun. */
  private readonly gathering = new Map<string, Round>();
  private readonly in_turn = new InTurn();
  /** The newest book of a year that this process knows to be begun; a hint that is too old costs turns. */
  private readonly newest = recentlyUsed<number>(YEARS_REMEMBERED);

  /** Of invoices that this process has brought to their numbers, or is about to. */
  private readonly begun = recentlyUsed<Promise<void>>(INVOICES_REMEMBERED);

  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Where a draft of that time takes its number. */
  async newestBook(terms: Pick<InvoiceTerms, 'merchant_id' | 'mode' | 'created_at'>): Promise<number> {
    const year = yearOf(terms);
    const known = this.newest.get(keyOf(year));
    if (known !== undefined) return known;
    const [row] = await this.runtime.readModels.query<{ book: number | null }>(NEWEST_BOOK, [
      ...[year.merchant_id, year.mode, year.year],
    ]);
    return row?.book ?? 0;
  }

  /** Ends, or fails, as what this process has begun for it; null where the log must be asked. */
  underWay(invoice_id: string): Promise<void> | null {
    return this.begun.get(invoice_id) ?? null;
  }

  /** As it is right after it has its number, and where in the log that is. */
  number(draft: KnownInvoice, correlation_id: string) {
    const { invoice_id } = draft.terms;
    const numbered = this.bringToNumber(draft, correlation_id);
    const ended = numbered.then(() => undefined);
    ended.catch(() => this.begun.delete(invoice_id));
    this.begun.set(invoice_id, ended);
    return numbered;
  }

  private async bringToNumber(draft: KnownInvoice, correlation_id: string) {
    const { invoice_id, mode } = draft.terms;
    const origin = originOf(draft, correlation_id);
    for (let state = draft; ; ) {
      const name: BookName = { ...yearOf(state.terms), book: state.book };
      const step = numberingStep(state, await this.take(name, invoice_id, origin));
      if (step?.step === 'take') continue;
      const handled = await invoice.handle(
        this.runtime,
        mode,
        invoice_id,
        step?.step === 'turn'
          ? { type: 'TurnInvoiceBook', full_book: state.book }
          : { type: 'NumberInvoice', sequence: sequenceOf(step) },
        { ...origin, command_id: `${NUMBERED_BY}|${invoice_id}|${step?.step}|${state.book}` },
      );
      invariant(handled.ok, `the number of ${invoice_id} is not refused`);
      if (step?.step !== 'turn') return handled;
      state = handled.state;
    }
  }

  /** The book, once it has a number for the invoice or is full without it. Those that ask at once share an append. */
  private take(name: BookName, invoice_id: string, origin: CommandOrigin): Promise<InvoiceBook> {
    const key = `${name.mode}|${bookId(name)}`;
    const round = this.gathering.get(key) ?? this.gather(key, name, origin);
    round.invoice_ids.add(invoice_id);
    return round.book;
  }

  private gather(key: string, name: BookName, origin: CommandOrigin): Round {
    const invoice_ids = new Set<string>();
    const book = this.in_turn.run(key, () => {
      this.gathering.delete(key);
      return this.takeAll(name, [...invoice_ids], origin);
    });
    const round = { invoice_ids, book };
    this.gathering.set(key, round);
    return round;
  }

  private async takeAll(
    name: BookName,
    invoice_ids: readonly string[],
    origin: CommandOrigin,
  ): Promise<InvoiceBook> {
    const is_previous_full = await this.isBegun(name);
    const now = isoTime(this.runtime.clock.now());
    const command = { type: 'TakeInvoiceNumbers', name, invoice_ids, is_previous_full, now } as const;
    const command_id = `${NUMBERED_BY}|${this.runtime.random.uuid()}`;
    const id = bookId(name);
    const taking = { ...origin, command_id, subject_ids: [] };
    const handled = await invoiceBook.handle(this.runtime, name.mode, id, command, taking);
    const book = handled.ok ? handled.state : await invoiceBook.load(this.runtime, name.mode, id);
    invariant(book, `the book ${id} is begun or may be`);
    const key = keyOf(name);
    this.newest.set(key, Math.max(name.book, this.newest.get(key) ?? 0));
    return book;
  }

  /** A book is begun once the one before is full. */
  private async isBegun(name: BookName): Promise<boolean> {
    if (name.book <= (this.newest.get(keyOf(name)) ?? 0)) return true;
    const previous = bookId({ ...name, book: name.book - 1 });
    return (await invoiceBook.load(this.runtime, name.mode, previous))?.status === 'full';
  }
}

const yearOf = ({
  merchant_id,
  mode,
  created_at,
}: Pick<InvoiceTerms, 'merchant_id' | 'mode' | 'created_at'>): Year => ({
  ...{ merchant_id, mode, year: created_at.slice(0, 4) },
});

const keyOf = ({ merchant_id, mode, year }: Year): string => `${merchant_id}|${mode}|${year}`;

function sequenceOf(step: ReturnType<typeof numberingStep>): number {
  invariant(step?.step === 'number', 'an invoice is numbered once');
  return step.sequence;
}

/** The same command from the request as from what goes on from the log. */
const originOf = ({ terms, customer }: KnownInvoice, correlation_id: string): CommandOrigin => ({
  command_id: NUMBERED_BY,
  body_hash: null,
  merchant_id: terms.merchant_id,
  actor: `system:${NUMBERED_BY}`,
  correlation_id,
  causation_id: null,
  subject_ids: [customer.subject_id],
});
