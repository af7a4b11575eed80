/** The environment of a process. Everything below throws `SettingsFault` for what cannot be used. */
export type Env = NodeJS.ProcessEnv;

/** A setting that cannot be used: the message names the variable and what it takes. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault';
}

const WEB: readonly string[] = ['http:', 'https:'];
const POSTGRES: readonly string[] = ['postgres:', 'postgresql:'];

/** Null when it is not set. */
export function readUrl(env: Env, name: string, protocols = WEB): string | null {
  const text = env[name];
  if (!text) return null;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  throw new SettingsFault(`${name} is not a URL that begins with ${protocols.join('// or ')}//.`);
}

/** A Postgres; null when it is not set. */
export const readDatabaseUrl = (env: Env): string | null => readUrl(env, 'DATABASE_URL', POSTGRES);

const EVENT_STORES = ['esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'];

/** An EventStoreDB or KurrentDB; null when it is not set. */
export const readEventStoreUrl = (env: Env): string | null =>
  readUrl(env, 'EVENTSTORE_URL', EVENT_STORES);

/** Addresses of one service's replicas, separated by commas; empty when it is not set. */
export function readUrls(env: Env, name: string): readonly string[] {
  return splitList(env[name]).map((text) => readUrl({ [name]: text }, name) as string);
}

/** `a, b` is `a` and `b`; nothing is an empty list. */
export const splitList = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** `true` or `false`. */
export function readFlag(env: Env, name: string, fallback: boolean): boolean {
  return readOneOf(env, name, fallback ? ['true', 'false'] : ['false', 'true']) === 'true';
}

/** The first of `allowed` is the default. */
export function readOneOf<const Value extends string>(
  env: Env,
  name: string,
  allowed: readonly [Value, ...Value[]],
): Value {
  const value = env[name] || allowed[0];
  const found = allowed.find((one) => one === value);
  if (!found) throw new SettingsFault(`${name} is "${value}"; it takes ${allowed.join(' or ')}.`);
  return found;
}

/** From `least` to `most`, both included. */
export function readWholeNumber(
  env: Env,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new SettingsFault(
      `${name} is "${text}"; it takes a whole number from ${least} to ${most}.`,
    );
  }
  return value;
}

/** `hint` says what it is and how one comes by it. */
export function readRequired(env: Env, name: string, hint: string): string {
  const text = env[name];
  if (text) return text;
  throw new SettingsFault(`${name} is not set. ${hint}`);
}

/** The first is the default. */
export const LOG_LEVELS = ['warn', 'debug', 'info', 'error', 'silent'] as const;
