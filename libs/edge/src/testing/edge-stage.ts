import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  allRoutes,
  apiKeyOf,
  sanctionsHealth,
  type KeyHolder,
  type MerchantHolder,
  type Route,
} from '@tender/contracts';
import { noTelemetry, type Log, type ReadModels, type Telemetry } from '@tender/eventing';
import { routerPath, type ErrorPage } from '@tender/http';
import type { Mode } from '@tender/kernel';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { EdgeConfig, EdgeOptions } from '../edge-options';
import { mountEdge, type Edge } from '../mount-edge';
import { edgeServerOptions } from '../server-options';
import { MemoryTables } from './memory-tables';

export const TEST_KEY = apiKeyOf('test', Buffer.alloc(32, 1));
export const LIVE_KEY = apiKeyOf('live', Buffer.alloc(32, 2));
export const OTHER_KEY = apiKeyOf('test', Buffer.alloc(32, 3));
/** Well-formed, of no merchant. */
export const UNKNOWN_KEY = apiKeyOf('test', Buffer.alloc(32, 9));
/** Of merchant A, who has a live key; and of merchant B, who has none. */
export const SESSION_TOKEN = 'S'.repeat(43);
export const OTHER_SESSION_TOKEN = 'T'.repeat(43);
export const session = (token: string) => ({ cookie: `svc_session=${token}` });
/** What a page of the program sends with what it changes. */
export const OWN_PAGE = { host: 'tender.test', origin: 'http://tender.test' };
/** Where signing passkeys are used. */
export const APPROVAL_URL = 'https://approve.tender.test';
export const SETUP_TOKEN = 'svc_setup_of_merchant_a';
export const ADMIN_TOKEN = 'svc_admin_for_this_spec';
/** A payment’s id, made of a name of letters and digits. */
export const paymentId = (name: string | number, mode: Mode = 'test'): string =>
  `pay_${mode}_${String(name).padStart(22, '0')}`;
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Errors name the request that they are of: as one request, the same ones have the same bytes. */
export const SAME_REQUEST = { 'x-correlation-id': '7f6b1c52-3f0e-4a39-9d55-0a1b2c3d4e5f' };

/** Shorter delays gather what belongs together; a spec need not wait for them. */
const A_WHILE_MS = 1000;

export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

const healthy = async (): Promise<{ healthy: boolean; reason: string | null }> => ({
  healthy: true,
  reason: null,
});

export interface EdgeStageOptions {
  readonly config?: Partial<EdgeConfig>;
  readonly holder?: Partial<MerchantHolder>;
  /** Instead of the echo, by route id. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Beside those of the contract. */
  readonly routes?: readonly Route[];
  readonly tables?: MemoryTables;
  readonly wall_ms?: number;
  /** No other gateway; false by default. */
  readonly alone?: boolean;
  /** Real tables in place of `tables`. */
  readonly readModels?: ReadModels;
  readonly telemetry?: Telemetry;
  readonly error_page?: ErrorPage;
  /** At the end of this turn of the event loop by default. */
  readonly atEndOfTurn?: EdgeOptions['atEndOfTurn'];
}

/** The edge in front of tiny handlers: every route of the contract answers with what it was given. */
export class EdgeStage {
  readonly clock = { ms: 1_700_000_000_000, now: () => this.clock.ms, wall: () => this.clock.ms };
  readonly tables: MemoryTables;
  readonly logged: object[] = [];
  readonly used: string[] = [];
  readonly looked_up: string[] = [];
  /** Good keys that were looked up before. */
  readonly remembered = new Set<string>();
  /** What the chain indexer answers. */
  readonly chain_health = { test: healthy, live: healthy };
  /** What fraud answers. */
  sanctions_health = healthy;
  /** What waits for seconds, until the spec says that they are over. */
  readonly later = new Set<() => void>();
  readonly server: FastifyInstance;
  readonly edge: Edge;
  calls = 0;

  constructor(readonly options: EdgeStageOptions = {}) {
    if (options.wall_ms) this.clock.ms = options.wall_ms;
    this.tables = options.tables ?? new MemoryTables(this.clock);
    this.server = fastify(edgeServerOptions());
    this.edge = mountEdge(this.server, edgeOptionsOf(this));
    for (const route of routesOf(this)) if (route.context !== 'gateway') this.serve(route);
  }

  payments(body: unknown, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
    return this.server.inject({
      remoteAddress,
      method: 'POST',
      url: '/api/v1/payments',
      headers: { 'content-type': 'application/json', ...bearer(TEST_KEY), ...headers },
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  }

  get(url: string, headers: Record<string, string> = bearer(TEST_KEY)) {
    return this.server.inject({ method: 'GET', url, headers });
  }

  /** All that waits for seconds happens now. */
  secondsPass(): void {
    const due = [...this.later];
    this.later.clear();
    for (const work of due) work();
  }

  private serve(route: Route): void {
    const status = Math.min(...Object.keys(route.answers).map(Number));
    this.server.route({
      method: route.method,
      url: routerPath(route.path),
      handler: (request, reply) => {
        this.calls += 1;
        void reply.status(status);
        const handler = this.options.handlers?.[route.id];
        return handler ? handler(request, reply) : echo(request);
      },
    });
  }
}

/** What the edge of a stage is mounted with, for specs that put something else behind it. */
export function edgeOptionsOf(stage: EdgeStage): EdgeOptions {
  const logAt = (level: string) => (fields: object, message: string) => {
    stage.logged.push({ level, ...fields, message });
  };
  return {
    routes: routesOf(stage),
    runtime: {
      clock: stage.clock,
      log: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') } satisfies Log,
      random: { bytes: randomBytes, uuid: randomUUID, fraction: () => 0.5 },
      keyRing: memoryKeyRing(),
      readModels: stage.options.readModels ?? stage.tables.readModels,
      calls: {
        answer: () => undefined,
        ask: async ({ name }, _, { mode }) =>
          (name === sanctionsHealth.name
            ? stage.sanctions_health()
            : stage.chain_health[mode as Mode]()) as never,
      },
      telemetry: stage.options.telemetry ?? noTelemetry,
      mail: { send: () => Promise.reject(new Error('no mail is sent here')), inbox: null },
      eventStore: { isBefore: (one: string, other: string) => +one < +other } as never,
    },
    keys: {
      authenticate: async (hash) => {
        await Promise.resolve();
        stage.looked_up.push(hash);
        const holder = HOLDERS.get(hash);
        if (!holder) return null;
        stage.remembered.add(hash);
        return { ...holder, ...stage.options.holder };
      },
      remembers: (hash) => stage.remembered.has(hash),
      used: (key_id) => stage.used.push(key_id),
    },
    sessions: {
      authenticate: async (hash) => {
        await Promise.resolve();
        stage.looked_up.push(hash);
        const holder = SESSIONS.get(hash);
        if (!holder) return null;
        stage.remembered.add(hash);
        return { ...holder, session_id: `session-${holder.merchant_id}`, ...stage.options.holder };
      },
      remembers: (hash) => stage.remembered.has(hash),
    },
    setups: {
      authenticate: async (token) =>
        token === SETUP_TOKEN
          ? { ...holderOf('merchant-a', 'test'), token_hash: sha256(token), ...stage.options.holder }
          : null,
    },
    ready: () => Promise.resolve(true),
    atEndOfTurn: stage.options.atEndOfTurn ?? ((work) => void setImmediate(work)),
    delays: {
      after(delay_ms, work) {
        if (delay_ms < A_WHILE_MS) return work(), () => undefined;
        stage.later.add(work);
        return () => stage.later.delete(work);
      },
    },
    alone: stage.options.alone ?? false,
    error_page: stage.options.error_page,
    approval_url: () => APPROVAL_URL,
    config: {
      rate_limits: 'default',
      admin_token: ADMIN_TOKEN,
      test_helpers: true,
      ...stage.options.config,
    },
  };
}

const routesOf = ({ options }: EdgeStage): readonly Route[] => [
  ...allRoutes,
  ...(options.routes ?? []),
];

const echo = (request: FastifyRequest) => ({
  body: request.body ?? null,
  query: request.query,
  caller: request.tender,
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const HOLDERS = new Map<string, KeyHolder>(
  [
    { key: TEST_KEY, mode: 'test', merchant_id: 'merchant-a' } as const,
    { key: LIVE_KEY, mode: 'live', merchant_id: 'merchant-a' } as const,
    { key: OTHER_KEY, mode: 'test', merchant_id: 'merchant-b' } as const,
  ].map(({ key, merchant_id, mode }) => [
    sha256(key),
    { ...holderOf(merchant_id, mode), key_id: `key-${merchant_id}-${mode}` },
  ]),
);

const SESSIONS = new Map<string, MerchantHolder>([
  [sha256(SESSION_TOKEN), holderOf('merchant-a', 'live')],
  [sha256(OTHER_SESSION_TOKEN), holderOf('merchant-b', 'test')],
]);

function holderOf(merchant_id: string, mode: Mode): MerchantHolder {
  return {
    ...{ merchant_id, mode, merchant_name: 'A shop' },
    ...{ wallet: null, amount_max: 99_999_999, limits: null },
  };
}

function memoryKeyRing(): EdgeOptions['runtime']['keyRing'] {
  const hmac = (scope: string) => createHmac('sha256', 'secret of this spec').update(scope).digest();
  return {
    idBytes: hmac,
    dayBytes: (day, scope) => hmac(`${day}|${scope}`),
    sealPersonal: () => Promise.reject(new Error('not used here')),
    openPersonal: () => Promise.reject(new Error('not used here')),
    seal: (context, plaintext) => Buffer.from(`${context}\n${plaintext}`).toString('base64'),
    open: (context, sealed) => {
      const [known, ...rest] = Buffer.from(sealed, 'base64').toString().split('\n');
      if (known !== context) throw new Error('sealed under another context');
      return rest.join('\n');
    },
    witness: () => undefined,
    witnessed: () => [],
  };
}
