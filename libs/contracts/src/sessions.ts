import { IsBoolean, IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { LOCALES, type Locale } from './locales';
import { MerchantAnswer } from './merchants';
import { uuidIds } from './object-ids';
import { route } from './route';
import { Describe, IsEmailAddress, IsIdOf, IsTime, OrNull } from './validation';

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

export class StartEmailLoginBody {
  @Describe('Of the merchant.', 'owner@shop.example.com')
  @IsEmailAddress()
  email!: string;

  @Describe('Of the mail; en unless told.')
  @IsOptional()
  @IsIn(LOCALES)
  locale?: Locale;
}

/** The same whether or not a merchant has that e-mail. */
export class StartEmailLoginAnswer {
  @IsString() email!: string;
  @Describe('The code is over then at the latest: one that was sent before is sent again, and its mail tells for how long.') @IsTime() expires_at!: string;
}

export class VerifyEmailLoginBody {
  @Describe('Of the merchant.', 'owner@shop.example.com')
  @IsEmailAddress()
  email!: string;

  @Describe('The six digits of the mail.', '042137')
  @IsString()
  @Matches(/^\d{6}$/)
  code!: string;
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

const login = {
  context: 'accounts',
  auth: 'public',
  method: 'POST',
  limit: 'login',
  idempotent: false,
  tag: 'Sessions',
} as const;

export const startEmailLogin = route({
  ...login,
  id: 'startEmailLogin',
  path: '/api/v1/merchants/login/email/start',
  body: StartEmailLoginBody,
  answers: { 200: StartEmailLoginAnswer },
  refusals: ['rate_limit_exceeded'],
  summary: 'Have a code of six digits sent to sign in with',
});

export const verifyEmailLogin = route({
  ...login,
  id: 'verifyEmailLogin',
  path: '/api/v1/merchants/login/email/verify',
  body: VerifyEmailLoginBody,
  answers: { 200: SessionAnswer },
  refusals: ['authentication_failed', 'rate_limit_exceeded'],
  summary: 'Sign in with the code: the answer sets the cookie of the session',
});

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
  startEmailLogin,
  verifyEmailLogin,
  logout,
  listSessions,
  endSession,
  endOtherSessions,
] as const;
