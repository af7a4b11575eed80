/** How a caller proves who it is. `helper`: a test-mode key or the admin token (decisions §5). */
export type RouteAuth = 'key' | 'public' | 'admin' | 'helper' | 'open';

/** Which of the merchant's hourly budgets a call uses (decisions §1.9); `none` for pages and probes. */
export type LimitCategory = 'creation' | 'read' | 'other' | 'sign_up' | 'public' | 'status' | 'none';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- class-validator classes have no common base
export type BodyClass = new (...args: any[]) => object;

/** One operation of the API: routing, limits, OpenAPI and the stranger test all come from it (settled 17). */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** OpenAPI form: `/api/v1/payments/{id}`. */
  readonly path: string;
  readonly context: string;
  readonly auth: RouteAuth;
  readonly limit: LimitCategory;
  /** Honours Idempotency-Key. */
  readonly idempotent: boolean;
  readonly body?: BodyClass;
  /** The body may be left out altogether. */
  readonly body_optional?: boolean;
  readonly query?: BodyClass;
  /** Path parameter that names the object of a public route: its own limit bucket, its own mode. */
  readonly object?: string;
  /** Status → answer class; `null` for no JSON schema (plain text, pages). An array class is written `[Class]`. */
  readonly answers: Readonly<Record<number, BodyClass | readonly [BodyClass] | null>>;
  /** Codes that this route may answer beside those that every route may. */
  readonly refusals: readonly string[];
  readonly summary: string;
  readonly tag: string;
}

export const route = <const Value extends Route>(value: Value): Value => value;
