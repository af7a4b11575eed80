import { IsBoolean, IsIn, IsString } from 'class-validator';
import { MerchantAnswer } from './merchants';
import { uuidIds } from './object-ids';
import { route } from './route';
import { Describe, IsIdOf, IsTime, OrNull } from './validation';

/** How a person may sign in. */
export const LOGIN_METHODS = ['passkey', 'login_code'] as const;
export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** Of a sign-in; the cookie comes with it. */
export class SessionAnswer {
  @IsIdOf(uuidIds) merchant_id!: string;
  @IsIdOf(uuidIds) session_id!: string;
  @Describe('At the latest; it ends after 30 minutes without a request, too.')
  @IsTime()
  expires_at!: string;
}

/** A session that has not ended. */
export class ListedSession {
  @IsIdOf(uuidIds) id!: string;
  @IsIn(LOGIN_METHODS) method!: LoginMethod;
  @Describe('The passkey that has opened it; null of a code.') @OrNull() @IsString() passkey_id!: string | null;
  @Describe('Of the browser, where it signed in.') @IsString() client_address!: string;
  @Describe('What the browser calls itself.') @IsString() user_agent!: string;
  @IsTime() started_at!: string;
  @IsTime() last_seen_at!: string;
  @Describe('Unless it is used before.') @IsTime() expires_at!: string;
  @Describe('The one that asks.') @IsBoolean() is_current!: boolean;
}

const own = { context: 'accounts', auth: 'session', tag: 'Sessions', idempotent: false } as const;
const SESSIONS = '/api/v1/merchants/me/sessions';

export class EndedSessions {
  @IsBoolean() ended!: true;
}

export const logout = route({
  ...own,
  id: 'logout',
  method: 'POST',
  path: '/api/v1/merchants/logout',
  limit: 'other',
  answers: { 200: EndedSessions },
  refusals: [],
  summary: 'Sign out: the session ends at once',
});

export const readMerchant = route({
  id: 'readMerchant',
  method: 'GET',
  path: '/api/v1/merchants/me',
  context: 'accounts',
  auth: 'key',
  limit: 'read',
  idempotent: false,
  answers: { 200: MerchantAnswer },
  refusals: [],
  summary: 'The merchant itself',
  tag: 'Merchants',
});

export const listSessions = route({
  ...own,
  id: 'listSessions',
  method: 'GET',
  path: SESSIONS,
  limit: 'read',
  answers: { 200: [ListedSession] },
  refusals: [],
  summary: 'Who is signed in, newest first',
});

export const endSession = route({
  ...own,
  id: 'endSession',
  method: 'DELETE',
  path: `${SESSIONS}/{id}`,
  limit: 'other',
  answers: { 200: EndedSessions },
  refusals: ['not_found'],
  summary: 'End one session',
});

export const endOtherSessions = route({
  ...own,
  id: 'endOtherSessions',
  method: 'DELETE',
  path: SESSIONS,
  limit: 'other',
  answers: { 200: EndedSessions },
  refusals: [],
  summary: 'End all sessions but the one that asks',
});

export const sessionRoutes = [
  readMerchant,
  logout,
  listSessions,
  endSession,
  endOtherSessions,
] as const;
