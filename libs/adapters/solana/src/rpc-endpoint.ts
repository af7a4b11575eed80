import { Unavailable } from '@tender/eventing';
import { Pool } from 'undici';

/** The node answered, with an error of its own. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The node did not answer, or not usefully: another one may. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
  constructor(
    message: string,
    /** What a 429 asks for; null when it did not say. */
    readonly retry_after_ms: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type RpcCall = readonly [method: string, params: readonly unknown[]];

/** One node's JSON-RPC over kept-alive connections; every request has a deadline. */
export interface RpcEndpoint {
  /** Origin and path without credentials: what may be logged. */
  readonly name: string;
  readonly deadline_ms: number;
  /** The same node, with another deadline for each request. */
  within(deadline_ms: number): RpcEndpoint;
  call<Result>(method: string, params: readonly unknown[]): Promise<Result>;
  /** One HTTP request; an error of one call does not fail the others. */
  batch(calls: readonly RpcCall[]): Promise<readonly (unknown | RpcError)[]>;
  /** The answer's bytes, unparsed: big blocks are read elsewhere. */
  raw(method: string, params: readonly unknown[]): Promise<{ body: Uint8Array; gzip: boolean }>;
  close(): Promise<void>;
}

const DEADLINE_MS = 15_000;
const CONNECTIONS_MAX = 8;
/** The node does not serve us: an unpaid bill, a key that is no longer good. Another one may. */
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403]);

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export function rpcEndpoint(url: string, deadline_ms = DEADLINE_MS): RpcEndpoint {
  const { origin, pathname, search, hostname, port } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS_MAX, pipelining: 1 });
  const name = port ? `${hostname}:${port}` : hostname;
  const request = (id: number, [method, params]: RpcCall) => ({ jsonrpc: '2.0', id, method, params });
  return endpointWithin(deadline_ms);

  function endpointWithin(deadline_ms: number): RpcEndpoint {
    const post = (body: object, zip: boolean) => send(body, zip, deadline_ms);
    return {
      ...{ name, deadline_ms, within: endpointWithin },
      raw: (method, params) => post(request(1, [method, params]), true),
      async call<Result>(method: string, params: readonly unknown[]) {
        const answer = parse((await post(request(1, [method, params]), false)).body);
        if (!isAnswer(answer)) throw new EndpointFailure('the answer is not JSON-RPC');
        if (answer.error) throw errorOf(answer.error);
        // Nothing that is asked here has an answer that is empty.
        if (answer.result == null) throw new EndpointFailure(`${method} was answered with nothing`);
        return answer.result as Result;
      },
      async batch(calls) {
        const body = calls.map((call, index) => request(index, call));
        const answers = parse((await post(body, false)).body);
        if (!Array.isArray(answers)) {
          const reason = isAnswer(answers) ? answers.error?.message : 'the answer is not JSON-RPC';
          throw new EndpointFailure(`a batch was refused: ${reason}`);
        }
        const byId = new Map(answers.filter(isAnswer).map((answer) => [answer.id, answer]));
        return calls.map((_, index) => {
          const answer = byId.get(index);
          if (!answer) throw new EndpointFailure('a batch came back with an answer missing');
          return answer.error ? errorOf(answer.error) : answer.result;
        });
      },
      close: () => pool.destroy(),
    };
  }

  async function send(
    body: object,
    zip: boolean,
    deadline_ms: number,
  ): Promise<{ body: Uint8Array; gzip: boolean }> {
    try {
      const answer = await pool.request({
        method: 'POST',
        path: pathname + search,
        headers: { 'content-type': 'application/json', ...(zip ? { 'accept-encoding': 'gzip' } : {}) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(deadline_ms),
      });
      const bytes = new Uint8Array(await answer.body.arrayBuffer());
      if (answer.statusCode === 429) {
        const seconds = Number(answer.headers['retry-after']);
        throw new EndpointFailure('429', Number.isFinite(seconds) ? seconds * 1000 : null);
      }
      // A gateway in front of a node words its own troubles as JSON too.
      const is_json = bytes[0] === 0x7b || bytes[0] === 0x5b;
      const is_useless = answer.statusCode >= 500 || REFUSALS.has(answer.statusCode);
      if (is_useless || (answer.statusCode >= 300 && !is_json)) {
        throw new EndpointFailure(`HTTP ${answer.statusCode}`);
      }
      return { body: bytes, gzip: answer.headers['content-encoding'] === 'gzip' };
    } catch (error) {
      if (error instanceof EndpointFailure) throw error;
      throw new EndpointFailure(String(error), null, { cause: error });
    }
  }
}

/** The only node of its network: while it does not answer, the chain is unavailable. */
export function onlyEndpoint(url: string): Pick<RpcEndpoint, 'call' | 'close'> {
  const node = rpcEndpoint(url);
  return {
    call: (method, params) =>
      node.call<never>(method, params).catch((error: unknown) => {
        if (!(error instanceof EndpointFailure)) throw error;
        throw new Unavailable('the chain', { cause: error, reason: `${node.name}: ${error.message}` });
      }),
    close: () => node.close(),
  };
}

function isAnswer(told: unknown): told is Answer {
  if (typeof told !== 'object' || told === null) return false;
  const { error } = told as { readonly error?: unknown };
  return error == null || (typeof error === 'object' && 'code' in error);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
  } catch (error) {
    throw new EndpointFailure('the answer is not JSON', null, { cause: error });
  }
}

const errorOf = ({ code, message, data }: NonNullable<Answer['error']>) =>
  new RpcError(code, message, data);
