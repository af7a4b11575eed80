import { Pool, type Dispatcher } from 'undici';
import { Unavailable, type SignerLink } from '@tender/eventing';

/** PEM: what this process shows to signers, and the authority that theirs must come from. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface SignerPlace {
  /** For people: `signer A`. */
  readonly name: string;
  readonly url: string;
  readonly certificate: ClientCertificate | null;
  /** Milliseconds until its answer has come; 10,000 by default: a signature’s session is no longer than 15 s. */
  readonly answer_ms?: number;
}

export interface ClosableLink extends SignerLink {
  close(): Promise<void>;
}

const ANSWER_MS = 10_000;
const CONNECT_MS = 2_000;
/** How long one is waited for that does not listen: it may be starting. Nothing has been sent by then. */
const LISTENING_MS = 4_000;
const AGAIN_MS = 100;
/** Of a ceremony’s result: some kilobytes. */
const BODY_MAX = 256 * 1024;
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Carries messages to one signer over HTTP, or HTTPS where both sides show certificates. */
export function signerLink({
  name,
  url,
  certificate,
  answer_ms = ANSWER_MS,
}: SignerPlace): ClosableLink {
  const pool = new Pool(url, {
    connect: { timeout: CONNECT_MS, ...(certificate ?? {}) },
    pipelining: 1,
    keepAliveTimeout: 2_000,
    maxHeaderSize: 16 * 1024,
  });

  return {
    async ask(message) {
      const body = JSON.stringify(message);
      try {
        return await post(body, AbortSignal.timeout(answer_ms));
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        throw new Unavailable(name, { cause: error, reason: codeOf(error) });
      }
    },
    close: () => pool.destroy(),
  };

  async function post(body: string, signal: AbortSignal): Promise<unknown> {
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
    const order = { path: '/messages', method: 'POST' as const, headers, body, signal };
    const answer = await onceItListens(() => pool.request(order));
    const text = await textOf(answer, name);
    if (answer.statusCode === 401) {
      throw new Unavailable(name, { reason: 'it does not know the identity of who asks' });
    }
    return signedIn(text, answer.statusCode, name);
  }
}

/** Only what has certainly not been sent is sent again. */
async function onceItListens<T>(ask: () => Promise<T>): Promise<T> {
  const until_ms = performance.now() + LISTENING_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!NOT_CONNECTED.has(codeOf(error)) || performance.now() > until_ms) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function textOf({ body }: Dispatcher.ResponseData, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop drops the connection.
    if (length > BODY_MAX) throw new Unavailable(name, { reason: 'its answer is too long' });
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A signer signs each of its answers, refusals as well: what is not signed is none. */
function signedIn(text: string, status: number, name: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'signature' in answer) return answer;
  } catch {
    // Said below.
  }
  throw new Unavailable(name, { reason: `it answered ${status}, and nothing that is signed` });
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
};
