import { timingSafeEqual } from 'node:crypto';
import type { MailLanguage } from '../ports/mail';
import type { Sql } from '../ports/read-models';
import type { Runtime } from '../runtime';
import {
  codesTable,
  forgetOldCodes,
  openCode,
  openedCode,
  useUp,
  type CodeRow,
} from './code.record';
import {
  forgetOldTries,
  forgetTries,
  takeTry,
  triesTable,
  type TryLimit,
} from './counted-tries.record';

/** Business time (specification §2.10, §2.13). */
export const CODE_LIFETIME_MS = 10 * 60_000;
/** Wrong codes for one account; business time, and never lifted. */
export const WRONG_CODES: TryLimit = { tries_max: 5, span_ms: 15 * 60_000 };
const DIGITS = 6;
const CODES = 10n ** BigInt(DIGITS);
/** More mails of one code are not sent: its account has it. Without this, strangers together could send any number. */
export const MAILS_PER_CODE: TryLimit = { tries_max: 3, span_ms: CODE_LIFETIME_MS };
/** What is over stays this long, for those who look into a complaint. */
const KEPT_MS = 24 * 60 * 60_000;

export interface OneTimeCodesOptions {
  /** Its tables are those of `oneTimeCodeTables`. */
  readonly schema: string;
  /** What the codes are for: the digits of one purpose say nothing of those of another. */
  readonly purpose: string;
  /** How often one client may ask for codes of one account, by wall time; null: that and the mails are not limited. */
  readonly asks: TryLimit | null;
}

/** Refused for now: when it may be tried again, in milliseconds from now. */
export interface TooMany {
  readonly outcome: 'too_many';
  readonly wait_ms: number;
}

export type { TryLimit };

export interface ToldCode {
  readonly digits: string;
  readonly language: MailLanguage;
  /** Milliseconds of business time for which it is still good. */
  readonly left_ms: number;
}

/** Who asks for a code, and for whom. */
export interface CodeRequest {
  readonly account: string;
  /** Stands for its address, which is not kept: what one client asks for is not counted against others. */
  readonly client: string;
  readonly language: MailLanguage;
}

/** `ends_ms`: of a code that is made now. One that is sent again ends before: its mail alone tells when. */
export type AskedCode = { readonly outcome: 'asked'; readonly ends_ms: number } | TooMany;
export type TriedCode = { readonly outcome: 'right' | 'wrong' } | TooMany;
/** `code_id`: of a right one, which is still good. */
export type CheckedCode =
  | { readonly outcome: 'right'; readonly code_id: string }
  | { readonly outcome: 'wrong' }
  | TooMany;

/** What a migration makes for `OneTimeCodes` in a schema. */
export const oneTimeCodeTables = (schema: string): readonly string[] => [
  ...codesTable(`${schema}.one_time_codes`),
  ...triesTable(`${schema}.counted_tries`),
];

type Needs = Pick<Runtime, 'readModels' | 'keyRing' | 'clock' | 'random'>;

/**
 * Codes of six digits that are sent by mail and typed in (S28, S34). Nothing secret is stored: the digits derive from
 * the day’s key. An account of which nothing is known is treated as any other, in work and in answers; whether it
 * exists is asked after a right code, and before a mail.
 */
export class OneTimeCodes {
  private readonly codes: `${string}.one_time_codes`;
  private readonly tries: `${string}.counted_tries`;

  constructor(
    private readonly runtime: Needs,
    private readonly options: OneTimeCodesOptions,
  ) {
    this.codes = `${options.schema}.one_time_codes`;
    this.tries = `${options.schema}.counted_tries`;
  }

  /**
   * While more than two minutes of a code are left it is sent again, and no other one is made: a stranger who asks
   * takes none from its owner. `queue` gets the id of the mail that is owed, if any, in the transaction of the code. No
   * answer tells whether there was a code.
   */
  async ask(
    { account, client, language }: CodeRequest,
    queue: (tx: Sql, mail_ids: readonly string[]) => Promise<void>,
  ): Promise<AskedCode> {
    const { readModels, clock, random } = this.runtime;
    const { asks, purpose } = this.options;
    const [asked_ms, wall] = [clock.now(), clock.wall()];
    if (asks !== null) {
      const counted = `${purpose}|asked|${account}|${client}`;
      const free_at = await takeTry(readModels, this.tries, counted, wall, asks);
      if (free_at !== null) return { outcome: 'too_many', wait_ms: free_at - wall };
    }
    const ends_ms = asked_ms + CODE_LIFETIME_MS;
    const made = { id: random.uuid(), account, language, asked_ms, ends_ms };
    const mail_id = random.uuid();
    await readModels.transaction(async (tx) => {
      await forgetOldCodes(tx, this.codes, asked_ms - KEPT_MS);
      await forgetOldTries(tx, this.tries, wall - KEPT_MS);
      const code = await openedCode(tx, this.codes, made);
      await queue(tx, (await this.isMailOwed(tx, code.id)) ? [mail_id] : []);
    });
    return { outcome: 'asked', ends_ms };
  }

  private async isMailOwed(tx: Sql, code_id: string): Promise<boolean> {
    const { asks, purpose } = this.options;
    if (asks === null) return true;
    const counted = `${purpose}|mailed|${code_id}`;
    const now = this.runtime.clock.now();
    return (await takeTry(tx, this.tries, counted, now, MAILS_PER_CODE)) === null;
  }

  /** Uses the account’s code up where these are its digits. A try that is refused is not looked at. */
  async use(account: string, digits: string): Promise<TriedCode> {
    const checked = await this.check(account, digits);
    if (checked.outcome !== 'right') return checked;
    return { outcome: (await this.usedUp(account, checked.code_id)) ? 'right' : 'wrong' };
  }

  /**
   * Whether these are the digits of the account’s code, which stays good: for a caller whose own write uses it up, so
   * that there is none of the two without the other. It takes one try, as `use` does; `usedUp` gives the tries back.
   */
  async check(account: string, digits: string): Promise<CheckedCode> {
    const { readModels, clock } = this.runtime;
    const now = clock.now();
    const free_at = await takeTry(readModels, this.tries, this.tried(account), now, WRONG_CODES);
    if (free_at !== null) return { outcome: 'too_many', wait_ms: free_at - now };
    const code = await openCode(readModels, this.codes, account, now);
    // Where there is none, the same is done with one that was never sent.
    const is_same = isSame(this.digitsOf(code ?? { id: account, asked_ms: now }), digits);
    return code !== null && is_same ? { outcome: 'right', code_id: code.id } : { outcome: 'wrong' };
  }

  /** It is good no more. False where it was used before, also at the same moment, or is over. */
  async usedUp(account: string, code_id: string): Promise<boolean> {
    const { readModels, clock } = this.runtime;
    if (!(await useUp(readModels, this.codes, code_id, clock.now()))) return false;
    await forgetTries(readModels, this.tries, this.tried(account));
    return true;
  }

  private readonly tried = (account: string): string => `${this.options.purpose}|tried|${account}`;

  /** What a mail to that account is to tell; null where its code was used or is over. */
  async told(account: string): Promise<ToldCode | null> {
    const { readModels, clock } = this.runtime;
    const now = clock.now();
    const code = await openCode(readModels, this.codes, account, now);
    if (code === null) return null;
    const { language, ends_ms } = code;
    return { language, left_ms: ends_ms - now, digits: this.digitsOf(code) };
  }

  /** 64 bits for a million codes: each is as likely as any other, but for one part in 10^13. */
  private digitsOf({ id, asked_ms }: Pick<CodeRow, 'id' | 'asked_ms'>): string {
    const bytes = this.runtime.keyRing.dayBytes(asked_ms, `${this.options.purpose}|${id}`);
    return String(bytes.readBigUInt64BE() % CODES).padStart(DIGITS, '0');
  }
}

/** In constant time; the digits of a request have been read as six. */
function isSame(expected: string, digits: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(digits)];
  return one.length === other.length && timingSafeEqual(one, other);
}
