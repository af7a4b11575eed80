import { Pool, type Dispatcher } from 'undici';
import { INTERNAL_HEADER, STANDS_BY, Unavailable, type InternalSeal } from '@tender/eventing';
import { invariant } from '@tender/kernel';

export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: Buffer | null;
  /** Sealed and sent along. */
  readonly said: object;
  /** Milliseconds for the whole exchange. */
  readonly deadline_ms: number;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One service of the program, as its replicas are reached from another process. */
export interface ServiceClient {
  /**
   * The answer of one replica. One that cannot be connected to, or only stands by where the leader is
   * asked, leaves it to the next. Throws `Unavailable` when none answers in time: then the outcome is unknown.
   */
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  /** The answers of all replicas that can be connected to. */
  sendToEach(request: ServiceRequest): Promise<readonly ServiceAnswer[]>;
  close(): Promise<void>;
}

export interface ServiceClientOptions {
  /** `payments` */
  readonly service: string;
  /** Origins of the replicas. */
  readonly urls: readonly string[];
  readonly seal: InternalSeal;
}

const CONNECTIONS_MAX = 128;
const CONNECT_TIMEOUT_MS = 1_000;
const EMPTY = Buffer.alloc(0);
/** Nothing of the request has left: another replica may have it. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Of a service that does not believe the seal. */
const NOT_BELIEVED = 401;
const STRANGERS = 'it does not believe this process: do INTERNAL_SECRET and the clocks agree?';

export function serviceClient({ service, urls, seal }: ServiceClientOptions): ServiceClient {
  const replicas = urls.map(
    (url) =>
      new Pool(url, {
        connections: CONNECTIONS_MAX,
        pipelining: 1,
        connect: { timeout: CONNECT_TIMEOUT_MS },
      }),
  );
  invariant(urls.length > 0, `${service} has an address`);
  let turn = 0;

  return {
    async send(request) {
      turn = (turn + 1) % replicas.length;
      // Its own: other requests take turns while this one waits, and it must not ask a replica twice.
      const first = turn;
      let reason = 'no replica is known';
      for (let next = 0; next < replicas.length; next += 1) {
        const replica = replicas[(first + next) % replicas.length] as Pool;
        try {
          const answer = await exchange(replica, request);
          if (answer.status === NOT_BELIEVED) throw new Error(STRANGERS);
          if (answer.status !== STANDS_BY) return answer;
          reason = 'no replica leads';
        } catch (error) {
          if (!mayGoElsewhere(error)) throw unavailable(error);
          reason = String((error as Error).message);
        }
      }
      throw new Unavailable(service, { reason });
    },
    async sendToEach(request) {
      const answers = await Promise.all(
        replicas.map((replica) =>
          exchange(replica, request).catch((error: unknown) => {
            if (mayGoElsewhere(error)) return null;
            throw unavailable(error);
          }),
        ),
      );
      return answers.filter((answer) => answer !== null);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.destroy()));
    },
  };

  /** Without the streams of undici's `request`: an answer is small and wanted whole. */
  function exchange(replica: Pool, request: ServiceRequest): Promise<ServiceAnswer> {
    const { method, url, body, said, deadline_ms } = request;
    const began = performance.now();
    const options: Dispatcher.DispatchOptions = {
      method: method as 'GET',
      path: url,
      headers: {
        [INTERNAL_HEADER]: seal.seal({ method, url, body }, said),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body,
      headersTimeout: deadline_ms,
      bodyTimeout: deadline_ms,
    };
    return new Promise((resolve, reject) => {
      let running: Dispatcher.DispatchController | null = null;
      // Also for what waits for a connection: nobody is there for its answer any more.
      const late = setTimeout(() => {
        const error = new Error(`no answer in ${deadline_ms} ms`);
        running?.abort(error);
        reject(error);
      }, deadline_ms);
      let status = 0;
      let headers: Record<string, string> = {};
      const chunks: Buffer[] = [];
      replica.dispatch(options, {
        onRequestStart(controller) {
          running = controller;
          if (performance.now() - began > deadline_ms) controller.abort(new Error('too late'));
        },
        onResponseStart(_, code, sent) {
          status = code;
          headers = plainHeaders(sent);
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          clearTimeout(late);
          const [only = EMPTY] = chunks;
          resolve({ status, headers, body: chunks.length > 1 ? Buffer.concat(chunks) : only });
        },
        onResponseError(_, error) {
          clearTimeout(late);
          reject(error);
        },
      });
    });
  }

  function unavailable(cause: unknown): Unavailable {
    return new Unavailable(service, { cause, reason: String((cause as Error).message) });
  }
}

function mayGoElsewhere(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { code?: string } };
  return NOT_CONNECTED.has(code ?? '') || NOT_CONNECTED.has(cause?.code ?? '');
}

function plainHeaders(
  sent: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in sent) {
    const value = sent[name];
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
