import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { eventually } from './eventually';
import { hasStalled } from './stalls';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black box: the answers are what is under test
  readonly json: any;
}

export interface ClientOptions {
  /**
   * When to send a request again, under the same Idempotency-Key, after 503 and after a connection that was cut: on a
   * busy machine a service may miss its deadlines, and this is what a merchant's client does then. `stalled` is only
   * where the machine was measured to stand still.
   */
  readonly patience?: 'always' | 'stalled';
}

/** A merchant's HTTP client that throws nothing away. */
export class Client {
  constructor(
    private readonly url: () => string,
    readonly key: string | null,
    private readonly options: ClientOptions = {},
  ) {}

  /** The same client, which sends each request once: for stories about 503 and cut connections. */
  once(): Client {
    return new Client(this.url, this.key);
  }

  /** The same client, which comes again on every run: for stories that ask so much that one process may be late. */
  patient(): Client {
    return new Client(this.url, this.key, { patience: 'always' });
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  put(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.send('PUT', path, body, headers);
  }

  /** Text and bytes are sent as they are. */
  async send(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { patience } = this.options;
    if (!patience) return this.ask(method, path, body, headers);
    const key = method === 'GET' ? {} : idempotencyKey();
    const sent = { ...key, ...headers };
    let cut: unknown = null;
    const ask = () =>
      this.ask(method, path, body, sent).catch((error: unknown) => {
        cut = error;
        return null;
      });
    const isBad = (answer: Answer | null) => answer === null || answer.status === 503;
    const isPatient = () => patience === 'always' || hasStalled();
    const answer = await eventually(ask, (found) => !isBad(found) || !isPatient());
    if (answer === null) throw cut;
    return answer;
  }

  private async ask(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const answer = await request(this.url() + path, {
      method: method as 'GET',
      headers: {
        ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
          }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, json: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const idempotencyKey = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });
