import { GATEWAY, serviceOf } from './contexts';
import type { ErrorCode } from './errors';
import type { IdKind } from './object-ids';

/**
 * How a caller proves who it is.
 * - `key`: a merchant’s key, or a session of its people (specification §0.9).
 * - `session`: a person who has signed in; a key may not do this (S33).
 * - `setup`: the token of a set-up link, or a session.
 * - `key_or_nobody`: a good key or session counts as its merchant, a bad key as neither, everything else as `public`.
 * - `public`: needs no credential. `open`: needs none and is not counted.
 * - `helper`: a test-mode key or the admin token (specification §5).
 */
export type RouteAuth =
  | 'key'
  | 'session'
  | 'setup'
  | 'key_or_nobody'
  | 'public'
  | 'admin'
  | 'helper'
  | 'open';

/** Which of the merchant's hourly budgets a call uses (specification §1.9); `none` for pages and probes. */
export type LimitCategory =
  | 'creation'
  | 'read'
  | 'other'
  | 'webhook_test'
  | 'sign_up'
  | 'login'
  | 'public'
  | 'status'
  | 'none';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- class-validator classes have no common base
export type BodyClass = new (...args: any[]) => object;

/** One operation of the API: routing, limits, OpenAPI and the stranger test all come from it. */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/api/v1/payments/{id}`. */
  readonly path: string;
  readonly context: string;
  readonly auth: RouteAuth;
  readonly limit: LimitCategory;
  /**
   * Answers 200 with server-sent events for as long as the client listens: it holds no place among requests
   * once it has begun, and there is no HEAD of it.
   */
  readonly stream?: true;
  /** Honours Idempotency-Key. */
  readonly idempotent: boolean;
  readonly body?: BodyClass;
  /** The body may be left out altogether. */
  readonly body_optional?: boolean;
  readonly query?: BodyClass;
  /**
   * A page posts an HTML form here, without a script: `request.body` has its fields as texts, and the handler reads
   * them, because its refusals are pages, too. Only the gateway takes forms.
   */
  readonly form?: true;
  /** The pages on which signing passkeys are used may ask it from their own origin. */
  readonly approval?: true;
  /** Browsers open it: what goes wrong is a page for them, and its path with a slash at the end leads there. */
  readonly page?: true;
  /**
   * The path's parameters that name an object which has a mode. All must be of one mode: that of the credential, or
   * without a credential their own. Requests without a credential are counted by them.
   */
  readonly objects?: Readonly<Record<string, IdKind>>;
  /**
   * The field of the body that names the object, where the path names none: its id says the mode of a stranger’s
   * request, what it is counted by, and whose Idempotency-Key that is.
   */
  readonly body_object?: { readonly field: string; readonly kind: IdKind };
  /** The path's parameters that are Solana addresses. */
  readonly addresses?: readonly string[];
  /** The path’s parameters that are ids of passkeys. */
  readonly passkeys?: readonly string[];
  /** The code that says that they do not exist; `not_found` unless told. */
  readonly not_found?: ErrorCode;
  /** Status → answer class; `null` for no JSON schema (plain text, pages). An array class is written `[Class]`. */
  readonly answers: Readonly<Record<number, BodyClass | readonly [BodyClass] | null>>;
  /** Codes that this route may answer besides those that every route may. */
  readonly refusals: readonly string[];
  /** Codes that come from here with another status than theirs elsewhere. */
  readonly statuses?: Readonly<Record<string, number>>;
  readonly summary: string;
  readonly tag: string;
}

/** A route as it is written down; refuses one that contradicts itself when the program is loaded. */
export function route<const Value extends Route>(value: Value): Value {
  const fault = faultOf(value);
  if (fault !== null) throw new Error(`Route ${value.id} ${fault}.`);
  return value;
}

const MERCHANT_LIMITS: readonly LimitCategory[] = ['creation', 'read', 'other'];

function faultOf(value: Route): string | null {
  const { path, auth, limit, objects = {}, addresses = [], passkeys = [] } = value;
  const { stream, form, method, idempotent, answers } = value;
  if (stream && (method !== 'GET' || idempotent || answers[200] !== null)) {
    return 'streams: it is a GET without an Idempotency-Key, and its 200 has no schema';
  }
  if (form && (method !== 'POST' || idempotent || value.body || serviceOf(value.context) !== GATEWAY)) {
    return 'takes a form: it is a POST of the gateway, without a class for its body or an Idempotency-Key';
  }
  const kinds = Object.entries(objects);
  const elsewhere = [...Object.keys(objects), ...addresses, ...passkeys].find(
    (parameter) => !path.includes(`{${parameter}}`),
  );
  if (elsewhere !== undefined) return `names {${elsewhere}}, which its path has not`;
  const is_for_strangers = auth === 'public' || auth === 'key_or_nobody';
  const names_any = kinds.length > 0 || value.body_object !== undefined;
  const is_of_nothing = limit === 'sign_up' || limit === 'login';
  if (is_for_strangers && !is_of_nothing && !names_any) {
    return 'takes strangers and names no object, so nothing says its mode, nor whose Idempotency-Key it is';
  }
  const { body_object } = value;
  const in_body: typeof kinds = body_object ? [[body_object.field, body_object.kind]] : [];
  const named = [...kinds, ...in_body];
  const silent = named.find(([, { mode_since }]) => mode_since !== 'first id');
  if (is_for_strangers && silent) {
    return `takes strangers, and an old id at {${silent[0]}} would not say the mode`;
  }
  if (auth === 'key_or_nobody' && !MERCHANT_LIMITS.includes(limit)) {
    return `takes keys, and ${limit} is no limit of a merchant`;
  }
  return null;
}

/** `POST /admin/merchants/{id}/keys` */
export const routeText = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
