import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  hasApiKeyForm,
  hasSessionTokenForm,
  modeOfApiKey,
  sessionTokensIn,
  type KeyHolder,
  type MerchantHolder,
  type Route,
  type RouteAuth,
  type SessionHolder,
  type SetupHolder,
} from '@tender/contracts';
import { ApiError, notFound } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { EdgeOptions } from '../edge-options';
import type { EdgeHeaders } from './read-headers';
import { isOfForeignPage, refuseForeignPage, takeModeAsked } from './session-requests';

/** The caller of an admitted request. */
export type Identity =
  | { readonly kind: 'key'; readonly holder: KeyHolder }
  /** `asked`: the mode that the request names; null where it leaves it to the session. */
  | { readonly kind: 'session'; readonly holder: SessionHolder; readonly asked: Mode | null }
  | { readonly kind: 'setup'; readonly holder: SetupHolder }
  | { readonly kind: 'admin' }
  | { readonly kind: 'anyone' };

/** The merchant in whose name a request comes; null where it comes in none. */
export const merchantOf = (identity: Identity): MerchantHolder | null =>
  'holder' in identity ? identity.holder : null;

/** One answer for every bad credential, so that it says nothing about which part was bad (S1). */
const authenticationFailed = (way_out: string): ApiError =>
  new ApiError(401, 'authentication_failed', way_out);

const keyNeeded = (): ApiError =>
  authenticationFailed('Send a valid API key as "Authorization: Bearer svc_test_…" or "svc_live_…".');

const signUpTokenNeeded = (): ApiError =>
  authenticationFailed('Send the sign-up token, SIGNUP_TOKEN, as "Authorization: Bearer …".');

// Also for a good key: the others are what is asked for.
const adminTokenNeeded = (): ApiError =>
  authenticationFailed(
    'Send the admin token as "Authorization: Bearer svc_admin_…": it is ADMIN_TOKEN, or in the file admin-token of DATA_DIR.',
  );

const sessionNeeded = (): ApiError =>
  authenticationFailed('This needs a session: sign in to the dashboard.');

const setupTokenNeeded = (): ApiError =>
  authenticationFailed('Open the set-up link again, or sign in to the dashboard and ask for a new one.');

/** What each route asks for where there is no good credential. */
const NEEDED: Readonly<Record<RouteAuth, () => ApiError>> = {
  key: keyNeeded,
  key_or_nobody: keyNeeded,
  helper: keyNeeded,
  session: sessionNeeded,
  setup: setupTokenNeeded,
  admin: adminTokenNeeded,
  public: signUpTokenNeeded,
  open: keyNeeded,
};

/** Of a good credential that is none for this route (S33, S37). */
const forbidden = (auth: RouteAuth): ApiError =>
  new ApiError(403, 'forbidden', `This credential is good, but not for this. ${NEEDED[auth]().message}`);

const ANYONE: Identity = { kind: 'anyone' };
const ADMIN: Identity = { kind: 'admin' };
/** A key is 58 characters, tokens are what an operator chose; nothing of 8 KB is hashed. */
const CREDENTIAL_CHARACTERS_MAX = 512;
const SETUP_TOKEN_PREFIX = 'svc_setup_';

/** A request that has not been let in. */
export interface Unidentified {
  readonly raw: IncomingMessage;
  readonly headers: EdgeHeaders;
  /** By which its bad keys are counted. */
  readonly address: string;
}

export type Credentials = (
  route: Pick<Route, 'auth' | 'limit'>,
  request: Unidentified,
) => Identity | Promise<Identity>;

/** Credentials of an address that turned out to be none. */
export interface Guesses {
  /** Throws where it has sent too many for one more to be looked up. */
  refuse(address: string): void;
  /** One that the answer does not show. */
  count(address: string): void;
}

/**
 * Checks credentials as a route asks for them; refuses by throwing `ApiError`. A wrong form or checksum is
 * refused without a look-up (S2); keys never come from the query string (S8). Of a client that has used up its bad keys
 * only keys and sessions that are known here are looked at: a guess of the right form would cost a look-up each time.
 */
export function credentials(
  { keys, sessions, setups, config }: EdgeOptions,
  guesses: Guesses,
): Credentials {
  const public_url = config.public_url ?? null;
  const admin = sha256(config.admin_token);
  const sign_up = config.signup_token ? sha256(config.signup_token) : null;

  return function identify(route, request) {
    const { headers, address } = request;
    if (route.auth === 'open') return ANYONE;
    if (route.auth === 'public') {
      if (route.limit !== 'sign_up') return ANYONE;
      // Operators register merchants without using up what strangers behind the same address may do.
      const sent = bearerIn(headers);
      if (isToken(sent, admin)) return ADMIN;
      if (sign_up !== null && !isToken(sent, sign_up)) throw signUpTokenNeeded();
      return ANYONE;
    }
    if (route.auth === 'helper' && !config.test_helpers) throw notFound();
    // What a browser sends by itself counts only where a program has sent nothing.
    if (headers.authorizations === 0) return ofBrowser(route.auth, request);
    const bearer = bearerIn(headers);
    const takes_admin = route.auth === 'admin' || route.auth === 'helper';
    if (takes_admin && isToken(bearer, admin)) return ADMIN;
    if (route.auth === 'setup' && bearer?.startsWith(SETUP_TOKEN_PREFIX)) {
      return ofSetupToken(bearer, address);
    }
    return ofKey(bearer, route.auth, address);
  };

  async function ofKey(
    bearer: string | null,
    auth: RouteAuth,
    address: string,
  ): Promise<Identity> {
    if (bearer === null || !hasApiKeyForm(bearer)) throw NEEDED[auth]();
    const key_hash = hash('sha256', bearer);
    if (!keys.remembers(key_hash)) guesses.refuse(address);
    const holder = await keys.authenticate(key_hash);
    if (holder === null) throw NEEDED[auth]();
    // For a live key the helpers do not exist: they give money and time away.
    if (auth === 'helper' && holder.mode !== 'test') throw notFound();
    if (auth === 'session' || auth === 'setup' || auth === 'admin') throw forbidden(auth);
    return { kind: 'key', holder };
  }

  function ofBrowser(
    auth: RouteAuth,
    { raw, headers, address }: Unidentified,
  ): Identity | Promise<Identity> {
    const tokens = sessionTokensIn(headers.cookie);
    const is_optional = auth === 'key_or_nobody';
    if (tokens.length === 0 || auth === 'helper') {
      if (is_optional) return ANYONE;
      throw NEEDED[auth]();
    }
    if (is_optional && isOfForeignPage(raw, public_url)) return ANYONE;
    // There no session is taken at all, and the refusal says so.
    if (auth !== 'admin') refuseForeignPage(raw, public_url);
    const asked = takeModeAsked(raw.url ?? '/');
    return ofSession(tokens, address).then((holder) => {
      // A browser goes on sending the cookie of a session that has ended: it means nothing by it.
      if (holder === null && is_optional) return countedGuess(address);
      if (holder === null) throw NEEDED[auth]();
      if (auth === 'admin') throw forbidden(auth);
      raw.url = asked.url;
      const { mode } = asked;
      return { kind: 'session', holder: { ...holder, mode: mode ?? holder.mode }, asked: mode };
    });
  }

  function countedGuess(address: string): Identity {
    guesses.count(address);
    return ANYONE;
  }

  async function ofSession(
    [token = '', ...others]: readonly string[],
    address: string,
  ): Promise<SessionHolder | null> {
    if (others.length > 0 || !hasSessionTokenForm(token)) return null;
    const token_hash = hash('sha256', token);
    if (!sessions.remembers(token_hash)) guesses.refuse(address);
    return sessions.authenticate(token_hash);
  }

  async function ofSetupToken(token: string, address: string): Promise<Identity> {
    guesses.refuse(address);
    const holder = await setups.authenticate(token);
    if (holder === null) throw setupTokenNeeded();
    return { kind: 'setup', holder };
  }
}

/** The mode of the key that came along, also where none is asked for and none is looked up; null without one. */
export function modeOfKeyIn(headers: EdgeHeaders): Mode | null {
  const bearer = bearerIn(headers);
  return bearer === null ? null : modeOfApiKey(bearer);
}

/** Null unless there is one Authorization, of a form that we read. */
function bearerIn({ authorization, authorizations }: EdgeHeaders): string | null {
  const is_one =
    authorizations === 1 &&
    authorization !== undefined &&
    authorization.length <= CREDENTIAL_CHARACTERS_MAX &&
    authorization.startsWith('Bearer ');
  return is_one ? authorization.slice('Bearer '.length) : null;
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares hashes of equal length, in constant time. */
const isToken = (bearer: string | null, expected: Buffer): boolean =>
  bearer !== null && timingSafeEqual(sha256(bearer), expected);
