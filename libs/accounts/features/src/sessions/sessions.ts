import { hash } from 'node:crypto';
import {
  hasSessionTokenForm,
  SESSION_TOKEN_CHARACTERS,
  sessionTokensIn,
  type LoginMethod,
  type SessionAnswer,
  type SessionHolder,
} from '@tender/contracts';
import { recentlyUsed, type Runtime } from '@tender/eventing';
import type { Place } from '@tender/http';
import { base62, isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import type { KeyDirectory } from '../key-directory/key-directory';
import { setSessionCookie } from './session-cookie';
import {
  endSessions,
  findSession,
  insertSession,
  sessionsOf,
  writeSeen,
  type MeantSessions,
  type SessionRow,
} from './session.record';

/** Business time (specification §2.13, S30). */
export const SESSION_IDLE_MS = 30 * 60_000;
export const SESSION_MS_MAX = 12 * 60 * 60_000;
/** A session in constant use is written this often. */
const SEEN_EVERY_MS = 60_000;
const TOKEN_BYTES = 32;
const USER_AGENT_CHARACTERS_MAX = 300;
const USES_MAX = 10_000;

/** Who has signed in, and how. */
export interface NewSession {
  readonly merchant_id: string;
  readonly method: LoginMethod;
  /** Credential id; null of a login code. */
  readonly passkey_id: string | null;
  readonly client_address: string;
  readonly user_agent: string;
}

/** A session that has not ended. Times: milliseconds of business time. */
export interface OpenSession extends NewSession {
  readonly id: string;
  readonly started_ms: number;
  readonly seen_ms: number;
  readonly ends_ms: number;
}

/** The people who are signed in. One per process: the gateway asks the same one that begins and ends sessions. */
export interface Sessions {
  /**
   * Begins a session, always under a token of its own (S30), and gives it to the browser as its cookie; a session of
   * the merchant that the browser had ends.
   */
  begin(session: NewSession, reply: FastifyReply): Promise<SessionAnswer>;
  /** The holder of the session whose token has this SHA-256 (hex), which is used hereby; null where it has ended. */
  authenticate(hash: string): Promise<SessionHolder | null>;
  /** Whether this process has let that session in before; asks no table. */
  remembers(hash: string): boolean;
  /** Newest first. */
  list(merchant_id: string): Promise<readonly OpenSession[]>;
  /** False where the merchant has no such session. */
  end(merchant_id: string, session_id: string): Promise<boolean>;
  /** The sessions that this passkey has opened, but that one. */
  endOfPasskey(merchant_id: string, passkey_id: string, but: string | null): Promise<void>;
  /** All sessions of the merchant but that one. */
  endAll(merchant_id: string, but: string | null): Promise<void>;
  /** Takes the cookie from the browser. */
  forget(reply: FastifyReply): void;
}

/** Nest injection token. */
export const SESSIONS = Symbol('sessions');

export const openSessions = (
  runtime: Runtime,
  directory: Pick<KeyDirectory, 'merchant'>,
  place: Pick<Place, 'url'>,
): Sessions => new RecordedSessions(runtime, directory, place);

/**
 * Every request of a session asks the table, so that one which was ended, here or at another gateway, is over at once
 * (S31). When it was last used is written once a minute: another gateway may end it up to that much too early.
 */
class RecordedSessions implements Sessions {
  /** Token’s SHA-256 → when this process saw it used. */
  private readonly uses = recentlyUsed<number>(USES_MAX);

  constructor(
    private readonly runtime: Runtime,
    private readonly directory: Pick<KeyDirectory, 'merchant'>,
    private readonly place: Pick<Place, 'url'>,
  ) {}

  async begin(session: NewSession, reply: FastifyReply): Promise<SessionAnswer> {
    const { merchant_id, method, passkey_id, client_address } = session;
    const { random, clock, keyRing, readModels } = this.runtime;
    const [started_ms, id] = [clock.now(), random.uuid()];
    const token = base62(random.bytes(TOKEN_BYTES), SESSION_TOKEN_CHARACTERS);
    const user_agent = session.user_agent.slice(0, USER_AGENT_CHARACTERS_MAX);
    const client = JSON.stringify({ client_address, user_agent });
    const client_sealed = await keyRing.sealPersonal(merchant_id, client);
    const ends_ms = started_ms + SESSION_MS_MAX;
    const times = { started_ms, seen_ms: started_ms, ends_ms };
    const token_hash = hashOf(token);
    const row = { id, merchant_id, token_hash, method, passkey_id, client_sealed, ...times };
    const before = tokenOf(reply);
    await readModels.transaction(async (tx) => {
      if (before) await endSessions(tx, merchant_id, { token_hash: hashOf(before) }, started_ms);
      await insertSession(tx, row);
    });
    this.uses.set(token_hash, started_ms);
    this.giveCookie(reply, token, SESSION_MS_MAX / 1000);
    return { merchant_id, session_id: id, expires_at: isoTime(ends_ms) };
  }

  async authenticate(token_hash: string): Promise<SessionHolder | null> {
    const { clock, readModels } = this.runtime;
    const now = clock.now();
    const row = await findSession(readModels, token_hash, now);
    if (row === null || this.isIdle(row, now)) {
      this.uses.delete(token_hash);
      return null;
    }
    this.uses.set(token_hash, now);
    if (now - row.seen_ms >= SEEN_EVERY_MS) await writeSeen(readModels, row.id, now);
    const holder = await this.directory.merchant(row.merchant_id);
    return { ...holder, session_id: row.id };
  }

  remembers(token_hash: string): boolean {
    return this.uses.has(token_hash);
  }

  async list(merchant_id: string): Promise<readonly OpenSession[]> {
    const { clock, readModels, keyRing } = this.runtime;
    const now = clock.now();
    const rows = await sessionsOf(readModels, merchant_id, now);
    const open = rows.filter((row) => !this.isIdle(row, now));
    return Promise.all(
      open.map(async ({ client_sealed, ...row }) => {
        const client = (await keyRing.openPersonal(merchant_id, client_sealed)) ?? '{}';
        const { client_address = '', user_agent = '' } = JSON.parse(client) as Partial<NewSession>;
        return { ...row, client_address, user_agent, seen_ms: this.seenOf(row) };
      }),
    );
  }

  async end(merchant_id: string, id: string): Promise<boolean> {
    return (await this.endThose(merchant_id, { id })) > 0;
  }

  async endOfPasskey(merchant_id: string, passkey_id: string, but: string | null): Promise<void> {
    await this.endThose(merchant_id, { passkey_id, but });
  }

  async endAll(merchant_id: string, but: string | null): Promise<void> {
    await this.endThose(merchant_id, { but });
  }

  forget(reply: FastifyReply): void {
    this.giveCookie(reply, '', 0);
  }

  private endThose(merchant_id: string, meant: MeantSessions): Promise<number> {
    const { clock, readModels } = this.runtime;
    return endSessions(readModels, merchant_id, meant, clock.now());
  }

  private isIdle(row: Pick<SessionRow, 'token_hash' | 'seen_ms'>, now: number): boolean {
    return now - this.seenOf(row) >= SESSION_IDLE_MS;
  }

  private seenOf({ token_hash, seen_ms }: Pick<SessionRow, 'token_hash' | 'seen_ms'>): number {
    return Math.max(seen_ms, this.uses.get(token_hash) ?? 0);
  }

  private giveCookie(reply: FastifyReply, token: string, seconds: number): void {
    setSessionCookie(reply, { token, seconds, is_secure: this.place.url.startsWith('https:') });
  }
}

const hashOf = (token: string): string => hash('sha256', token);

/** The token that the browser has sent, whether or not it is one of a session. */
function tokenOf({ request }: FastifyReply): string | null {
  const [token = '', ...others] = sessionTokensIn(request.headers.cookie);
  return others.length === 0 && hasSessionTokenForm(token) ? token : null;
}
