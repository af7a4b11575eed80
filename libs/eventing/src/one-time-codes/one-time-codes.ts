import { timingSafeEqual } from 'node:crypto';
import type { MailLanguage } from '../ports/mail';
import type { Sql } from '../ports/read-models';
import type { Runtime } from '../runtime';
import {
  codesTable,
  findCode,
  forgetOldCodes,
  insertCode,
  newestCode,
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
/** What is over stays this long, for whom it puzzles. */
const KEPT_MS = 24 * 60 * 60_000;

export interface OneTimeCodesOptions {
  /** Its tables are those of `oneTimeCodeTables`. */
  readonly schema: string;
  /** What the codes are for: the digits of one purpose say nothing of those of another. */
  readonly purpose: string;
  /** How often a code may be asked for, of one account, by wall time; null: as often as one likes. */
  readonly asks: TryLimit | null;
}

/** Refused for now: when it may be tried again, in milliseconds from now. */
export interface TooMany {
  readonly outcome: 'too_many';
  readonly wait_ms: number;
}

export type { CodeRow, TryLimit };

export type AskedCode = { readonly outcome: 'asked'; readonly code: CodeRow } | TooMany;
export type TriedCode = { readonly outcome: 'right' | 'wrong' } | TooMany;

/** What a migration makes for `OneTimeCodes` in a schema. */
export const oneTimeCodeTables = (schema: string): readonly string[] => [
  ...codesTable(`${schema}.one_time_codes`),
  ...triesTable(`${schema}.counted_tries`),
];

type Needs = Pick<Runtime, 'readModels' | 'keyRing' | 'clock' | 'random'>;

/**
 * Codes of six digits that are told by mail and typed in (S28, S34). Nothing secret is stored: the digits derive from
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

  /** A new code takes the place of the one before. `also` is written together with it. */
  async ask(
    account: string,
    language: MailLanguage,
    also: (tx: Sql, code: CodeRow) => Promise<void>,
  ): Promise<AskedCode> {
    const { readModels, clock, random } = this.runtime;
    const { asks, purpose } = this.options;
    const [asked_ms, wall] = [clock.now(), clock.wall()];
    if (asks !== null) {
      const counted = `${purpose}|asked|${account}`;
      const free_at = await takeTry(readModels, this.tries, counted, wall, asks);
      if (free_at !== null) return { outcome: 'too_many', wait_ms: free_at - wall };
    }
    const ends_ms = asked_ms + CODE_LIFETIME_MS;
    const code = { id: random.uuid(), account, language, asked_ms, ends_ms, is_used: false };
    await readModels.transaction(async (tx) => {
      await forgetOldCodes(tx, this.codes, asked_ms - KEPT_MS);
      await forgetOldTries(tx, this.tries, wall - KEPT_MS);
      await insertCode(tx, this.codes, code);
      await also(tx, code);
    });
    return { outcome: 'asked', code };
  }

  /** Uses the account’s code up where these are its digits. A try that is refused is not looked at. */
  async use(account: string, digits: string): Promise<TriedCode> {
    const { readModels, clock } = this.runtime;
    const now = clock.now();
    const counted = `${this.options.purpose}|tried|${account}`;
    const free_at = await takeTry(readModels, this.tries, counted, now, WRONG_CODES);
    if (free_at !== null) return { outcome: 'too_many', wait_ms: free_at - now };
    const code = await newestCode(readModels, this.codes, account);
    const is_open = code !== null && !code.is_used && code.ends_ms > now;
    // Where there is none, the same is done with one that was never told.
    const compared = is_open ? code : { id: account, asked_ms: now };
    const is_same = isSame(this.digitsOf(compared), digits);
    if (!is_open || !is_same) return { outcome: 'wrong' };
    if (!(await useUp(readModels, this.codes, code.id, now))) return { outcome: 'wrong' };
    await forgetTries(readModels, this.tries, counted);
    return { outcome: 'right' };
  }

  /** What the mail of this code is to tell; null where it is over, used or not the account’s newest. */
  async told(id: string): Promise<{ readonly code: CodeRow; readonly digits: string } | null> {
    const { readModels, clock } = this.runtime;
    const code = await findCode(readModels, this.codes, id);
    if (code === null || code.is_used || code.ends_ms <= clock.now()) return null;
    const newest = await newestCode(readModels, this.codes, code.account);
    return newest?.id === id ? { code, digits: this.digitsOf(code) } : null;
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
