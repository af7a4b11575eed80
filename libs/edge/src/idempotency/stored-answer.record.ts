import {
  rowSource,
  Unavailable,
  type Delays,
  type KeyRing,
  type Log,
  type Sql,
} from '@tender/eventing';
import { KnownScopes } from './known-scopes';

/** A final answer, as it went out. */
export interface AnswerBytes {
  readonly status: number;
  readonly content_type: string;
  readonly ignored_fields: string | null;
  readonly body: string;
}

/** What is known of an Idempotency-Key in its scope. */
export interface StoredAnswer {
  /** Hex SHA-256 of the scope with the key: keys are the merchant's own words and are not kept. */
  readonly scope: string;
  /** How many times the key was used before, each 24 h or more after the one before it. */
  readonly generation: number;
  readonly fingerprint: string;
  /** Business time, ms. */
  readonly answered_at: number;
  /** Null once 24 h are over: only the generation is kept. */
  readonly answer: AnswerBytes | null;
}

export interface StoredAnswers {
  find(scope: string): Promise<StoredAnswer | null>;
  /** At once visible to `find`; reaches the table behind the response. */
  keep(answer: StoredAnswer & { readonly answer: AnswerBytes }): void;
  /** Everything kept so far has reached the table, or was given up. */
  idle(): Promise<void>;
}

type Unwritten = Map<string, StoredAnswer & { readonly answer: AnswerBytes }>;

interface Row {
  readonly scope: string;
  readonly generation: number;
  readonly fingerprint: string;
  readonly answered_at: string;
  readonly sealed: string | null;
}

const FIND = `select encode(scope, 'hex') as scope, generation, encode(fingerprint, 'hex') as fingerprint,
    answered_at, encode(sealed, 'base64') as sealed
  from gateway.stored_answers where scope = any($1::bytea[])`;

const ANSWERS = rowSource({
  scope: 'text',
  generation: 'int',
  fingerprint: 'text',
  answered_at: 'bigint',
  sealed: 'text',
});
const WRITE = `insert into gateway.stored_answers (${ANSWERS.columns})
  select decode(scope, 'hex'), generation, decode(fingerprint, 'hex'), answered_at, decode(sealed, 'base64')
  from ${ANSWERS.sql}
  on conflict (scope) do update set generation = excluded.generation,
    fingerprint = excluded.fingerprint, answered_at = excluded.answered_at, sealed = excluded.sealed
  where stored_answers.generation < excluded.generation`;

// The row stays: it is the memory of how often the key was used. What it said is gone.
const FORGET = `update gateway.stored_answers set sealed = null
  where answered_at <= $1 and sealed is not null`;

const FORGET_EVERY_MS = 60_000;
const WRITES_MAX = 500;
/** Between two writes, so that answers given one after the other share one. */
const GATHER_MS = 25;

export interface StoredAnswersOptions {
  readonly sql: Sql;
  readonly keyRing: Pick<KeyRing, 'seal' | 'open'>;
  readonly log: Log;
  /** Business time, ms. */
  readonly now: () => number;
  readonly lifetime_ms: number;
  readonly delays: Delays;
  /** No other process writes these answers, so that a key which was never seen needs no look-up. */
  readonly alone: boolean;
}

/**
 * `gateway.stored_answers`, read and written in batches: whatever comes while one write is under way goes
 * with the next (ADR 0003). A crash loses what was not yet written; the command handler then answers from
 * the log.
 */
export function storedAnswers(options: StoredAnswersOptions): StoredAnswers {
  const { sql, keyRing, log, delays, alone } = options;
  let waiting: Unwritten = new Map();
  /** Those of the write that is under way. */
  let in_writing: Unwritten = new Map();
  const known = alone ? new KnownScopes() : null;
  void known?.read(sql, log);
  let hurry: (() => void) | null = null;
  let hurried = false;
  let writing: Promise<void> | null = null;
  let forgotten_at = -Infinity;
  const find = batched(async (scopes: readonly string[]) => {
    const rows = await sql.query<Row>(FIND, [scopes.map((scope) => `\\x${scope}`)]);
    return new Map(rows.map((row) => [row.scope, answerOfRow(row)]));
  });

  return {
    async find(scope) {
      if (known && !known.mayHold(scope)) return null;
      return waiting.get(scope) ?? in_writing.get(scope) ?? (await find(scope)) ?? null;
    },
    keep(answer) {
      waiting.set(answer.scope, answer);
      known?.add(answer.scope);
      // The log can answer for what was done, but not for what was refused.
      if (answer.answer.status >= 400) gatherNoLonger();
      writeOn();
    },
    async idle() {
      while (writing) {
        gatherNoLonger();
        await writing;
      }
    },
  };

  function writeOn(): void {
    writing ??= writeAll().finally(() => {
      writing = null;
      // It came after the last look.
      if (waiting.size > 0) writeOn();
    });
  }

  async function writeAll(): Promise<void> {
    // Behind the response: what this turn of the loop still has to answer goes first.
    await Promise.resolve();
    while (waiting.size > 0) {
      hurried = false;
      // A map for each write, and not one that answers enter and leave: what has left a map may be kept by its old
      // tables until the whole heap is collected.
      in_writing = waiting;
      waiting = new Map();
      const answers = [...in_writing.values()];
      for (let from = 0; from < answers.length; from += WRITES_MAX) {
        await write(answers.slice(from, from + WRITES_MAX));
      }
      in_writing = new Map();
      await gather();
    }
  }

  /** A lost record costs the byte-for-byte repeat of an answer, never a second effect. */
  async function write(batch: readonly StoredAnswer[]): Promise<void> {
    try {
      await sql.query(WRITE, ANSWERS.valuesOf(batch.map(rowOf)));
      await forgetOld();
    } catch (error) {
      log.warn({ answers: batch.length, fault: String((error as Error).name) }, 'stored answers were lost');
    }
  }

  /** Also after the last write: what comes right behind it waits its turn. */
  function gather(): Promise<void> {
    if (hurried) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = delays.after(GATHER_MS, resolve);
      hurry = () => {
        cancel();
        resolve();
      };
    });
  }

  function gatherNoLonger(): void {
    hurried = true;
    hurry?.();
  }

  async function forgetOld(): Promise<void> {
    const now = options.now();
    if (now - forgotten_at < FORGET_EVERY_MS) return;
    forgotten_at = now;
    await sql.query(FORGET, [now - options.lifetime_ms]);
  }

  function rowOf({ scope, generation, fingerprint, answered_at, answer }: StoredAnswer) {
    const sealed = keyRing.seal(`stored-answer:${scope}`, JSON.stringify(answer));
    return { scope, generation, fingerprint, answered_at, sealed };
  }

  function answerOfRow(row: Row): StoredAnswer {
    const answered_at = Number(row.answered_at);
    const is_over = row.sealed === null || options.now() - answered_at >= options.lifetime_ms;
    const answer = is_over
      ? null
      : (JSON.parse(keyRing.open(`stored-answer:${row.scope}`, row.sealed as string)) as AnswerBytes);
    const { scope, generation, fingerprint } = row;
    return { scope, generation, fingerprint, answered_at, answer };
  }
}

/** One look-up at a time; keys that come in the meantime share the next one. */
function batched<Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: { key: string; answer: (value: Promise<Value | undefined>) => void }[] = [];
  let loading = false;
  return (key) =>
    new Promise((resolve) => {
      waiting.push({ key, answer: resolve });
      if (!loading) void loadAll();
    });

  async function loadAll(): Promise<void> {
    loading = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const loaded = load([...new Set(batch.map(({ key }) => key))]).catch((cause: unknown) => {
        throw new Unavailable('stored answers', { cause });
      });
      for (const { key, answer } of batch) answer(loaded.then((found) => found.get(key)));
      await loaded.catch(() => undefined);
    }
    loading = false;
  }
}
