import { ERROR_CODES, ErrorBody, isErrorCode, RateLimitBody, type ErrorCode } from '../errors';
import { FIELD_RULES } from '../field-rules';
import { idPatternOf, uuidIds } from '../object-ids';
import { PASSKEY_ID_PATTERN } from '../passkeys';
import type { BodyClass, Route, RouteAuth } from '../route';
import { SESSION_COOKIE } from '../session-token';
import {
  requestExampleOf,
  type Definitions,
  type RequestExample,
  type RequestExamples,
} from './example-of';
import { ALWAYS, HEADERS, headersOf, type HeaderName } from './headers';
import { definitionsOf, withoutRules, schemaOf, type JsonSchema } from './schema';

const SCHEMAS = '#/components/schemas/';
const API_VERSION = '1.0.0';

/** OpenAPI 3.1 of these routes. The same table gives routing, limits and validation, so it cannot lie. */
export function openApiDocument(
  routes: readonly Route[],
  server_url: string,
  examples: RequestExamples = {},
): object {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas = schemasOf(routes);
  for (const route of routes) {
    const operation = operationOf(route, schemas, examples[route.id] ?? {});
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tender',
      version: API_VERSION,
      description:
        'Get paid in stablecoins on Solana: create a payment, see it confirmed, hear of it by a signed webhook.',
    },
    servers: [{ url: server_url }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`svc_test_…` or `svc_live_…`' },
        adminToken: {
          ...{ type: 'http', scheme: 'bearer' },
          description: 'The operator’s token: `ADMIN_TOKEN`, or the file `admin-token` in `DATA_DIR`.',
        },
        session: {
          ...{ type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
          description:
            'Of a person who has signed in to the dashboard. A key has its mode; a session names it by `?mode=test` ' +
            'or `?mode=live`, and is live where the merchant has a live key, unless told.',
        },
        setupToken: { type: 'http', scheme: 'bearer', description: '`svc_setup_…`, of a set-up link' },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas,
    },
  };
}

function operationOf(route: Route, schemas: Definitions, example: RequestExample): object {
  const { id, summary, tag, body, body_optional, form } = route;
  return {
    operationId: id,
    summary,
    ...(form ? { description: OF_PAGES } : {}),
    tags: [tag],
    security: securityOf(route),
    parameters: parametersOf(route, example),
    ...(body
      ? {
          requestBody: {
            required: !body_optional,
            content: bodyOf(body, schemas, example),
          },
        }
      : {}),
    ...(form ? { requestBody: { content: FORM } } : {}),
    responses: { ...successesOf(route), ...errorsOf(route) },
  };
}

function bodyOf({ name }: BodyClass, schemas: Definitions, { body }: RequestExample): object {
  const schema = { $ref: SCHEMAS + name };
  const example = { ...(requestExampleOf(schema, schemas) as object), ...body };
  return { 'application/json': { schema, example } };
}

const OF_PAGES =
  'A page that Tender serves posts its form here, and the answer is a page or leads to one. Programs use the API.';

const FORM = {
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

function securityOf({ auth }: Route): readonly object[] {
  if (auth === 'key') return [{ apiKey: [] }, { session: [] }];
  if (auth === 'session') return [{ session: [] }];
  if (auth === 'setup') return [{ setupToken: [] }, { session: [] }];
  if (auth === 'key_or_nobody') return [{ apiKey: [] }, { session: [] }, {}];
  if (auth === 'admin') return [{ adminToken: [] }];
  if (auth === 'helper') return [{ apiKey: [] }, { adminToken: [] }];
  return [];
}

function parametersOf(route: Route, example: RequestExample): readonly object[] {
  const { path, query, idempotent } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(example.path?.[name] === undefined ? {} : { example: example.path[name] }),
    schema: inPathSchema(route, name),
  }));
  const schema = query ? schemaOf(query, SCHEMAS) : null;
  const inQuery = Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = withoutRules(field) as JsonSchema;
    const required = schema?.required?.includes(name) ?? false;
    return { name, in: 'query', required, ...(description ? { description } : {}), schema: rest };
  });
  const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...inPath,
    ...inQuery,
    ...(idempotent ? [ref('IdempotencyKey')] : []),
    ref('CorrelationId'),
  ];
}

function inPathSchema(route: Route, name: string): JsonSchema {
  const { objects = {}, addresses, passkeys, page } = route;
  if (addresses?.includes(name)) return FIELD_RULES['base58-address'].schema;
  const text = { type: 'string', maxLength: 100 };
  if (passkeys?.includes(name)) return { ...text, pattern: PASSKEY_ID_PATTERN };
  // Pages answer every address, those of nothing with a page that says so.
  if (page && !objects[name]) return text;
  return { ...text, pattern: idPatternOf(objects[name] ?? uuidIds) };
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key and request within 24 h get the first answer and have no second effect.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  CorrelationId: {
    name: 'X-Correlation-Id',
    in: 'header',
    description: 'Kept when it is a UUID; otherwise a new one is made.',
    schema: { type: 'string', format: 'uuid' },
  },
};

function successesOf({ answers, body, idempotent, stream }: Route): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const extra: HeaderName[] = [
        ...(body ? (['X-Svc-Ignored-Fields'] as const) : []),
        ...(idempotent ? (['Idempotency-Replayed'] as const) : []),
        ...(isList(answer) ? (['X-Total-Count'] as const) : []),
      ];
      const described = { description: 'Success.', headers: headersOf(...ALWAYS, ...extra) };
      if (stream && status === '200') return [status, { ...described, content: EVENT_STREAM }];
      if (answer === null) return [status, described];
      const schema = isList(answer)
        ? { type: 'array', items: { $ref: SCHEMAS + answer[0].name } }
        : { $ref: SCHEMAS + (answer as BodyClass).name };
      return [status, { ...described, content: jsonOf(schema) }];
    }),
  );
}

const EVENT_STREAM = { 'text/event-stream': { schema: { type: 'string' } } };

const isList = (answer: Route['answers'][number]): answer is readonly [BodyClass] =>
  Array.isArray(answer);

function errorsOf(route: Route): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codesOf(route))) {
    const status = statusOf(route, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const description = codes.map((code) => `\`${code}\`: ${ERROR_CODES[code][1]}`).join('\n\n');
      const retry: HeaderName[] = status === 429 || status === 503 ? ['Retry-After'] : [];
      const { name } = status === 429 ? RateLimitBody : ErrorBody;
      const content = jsonOf({ $ref: SCHEMAS + name });
      return [String(status), { description, headers: headersOf(...ALWAYS, ...retry), content }];
    }),
  );
}

/** The status that a code comes with from this route. */
export const statusOf = ({ statuses }: Route, code: ErrorCode): number =>
  statuses?.[code] ?? ERROR_CODES[code][0];

/** The codes that a route may answer: its own, and those that follow from its shape. */
export function codesOf(route: Route): readonly ErrorCode[] {
  const unknown = route.refusals.find((code) => !isErrorCode(code));
  if (unknown) {
    throw new Error(`Route ${route.id} refuses with "${unknown}". Add it to ERROR_CODES in errors.ts.`);
  }
  const { auth, body, idempotent, method, path, limit, refusals, stream } = route;
  const is_credential_asked = auth !== 'public' && auth !== 'open';
  return [
    ...(refusals as readonly ErrorCode[]),
    ...(body ? (['missing_required_field'] as const) : []),
    // Whatever the route takes: a path or a query may be nothing that can be read.
    'invalid_parameter',
    ...(is_credential_asked || limit === 'sign_up' ? (['authentication_failed'] as const) : []),
    // Another kind of credential; and a session from a page that is not ours.
    ...(TAKE_ONE_KIND.includes(auth) || auth === 'key' || (takesSessions(route) && method !== 'GET')
      ? (['forbidden'] as const)
      : []),
    // Helpers do not exist for live keys, nor where they are not allowed; an operator’s routes only in its networks.
    ...(path.includes('{') || auth === 'helper' || auth === 'admin'
      ? (['not_found'] as const)
      : []),
    ...(idempotent ? (['idempotency_key_reused', 'idempotency_in_flight'] as const) : []),
    // Also where the route takes no body: a client that sends one all the same gets these.
    'unsupported_media_type',
    ...(method === 'GET' ? [] : (['payload_too_large'] as const)),
    // Before the gateway knows which route is asked for.
    'request_timeout',
    'headers_too_large',
    'expectation_failed',
    ...(limit === 'none' && auth === 'open' ? [] : (['rate_limit_exceeded'] as const)),
    ...(stream ? (['too_many_streams'] as const) : []),
    'internal_error',
    // Also of a page: so many clients are let in at once and no more.
    'service_unavailable',
  ];
}

const TAKE_ONE_KIND: readonly RouteAuth[] = ['session', 'setup', 'admin'];
const TAKE_SESSIONS: readonly RouteAuth[] = ['key', 'key_or_nobody', 'session', 'setup'];
const takesSessions = ({ auth }: Route): boolean => TAKE_SESSIONS.includes(auth);

const jsonOf = (schema: JsonSchema) => ({ 'application/json': { schema } });

function schemasOf(routes: readonly Route[]): Definitions {
  const types = routes.flatMap(({ body, answers }) => [
    ...(body ? [body] : []),
    ...Object.values(answers).flatMap((answer) => {
      if (answer === null) return [];
      return isList(answer) ? [answer[0]] : [answer as BodyClass];
    }),
  ]);
  return withoutRules(definitionsOf([ErrorBody, RateLimitBody, ...types], SCHEMAS)) as Definitions;
}
