/** The cookie that a session is known by (specification §2.13). */
export const SESSION_COOKIE = 'svc_session';

/** 256 bits in base62. */
export const SESSION_TOKEN_CHARACTERS = 43;
const SESSION_TOKEN = /^[0-9A-Za-z]{43}$/;

/** True when the text has the form of a session’s token. Says nothing about whether there is such a session. */
export const hasSessionTokenForm = (text: string): boolean => SESSION_TOKEN.test(text);

/**
 * What a `Cookie` header says of the session: the values under its name. A browser sends one; two come from another
 * host of the same site, and then nothing says which is ours.
 */
export const sessionTokensIn = (cookie: string | undefined): readonly string[] =>
  (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
