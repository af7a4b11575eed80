import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isFields } from './params';
import { RPC_CODES, RpcError } from './rpc-error';

type CallId = string | number | null;

export interface JsonRpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: CallId;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Call {
  readonly id: CallId;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Of all answers to a batch. What comes after it is refused: each answer may be megabytes, and all are kept. */
const BATCH_CHARACTERS_MAX = 32 * 1024 * 1024;

export const errorAnswer = (id: CallId, error: RpcError): JsonRpcAnswer => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: error.code,
    message: error.message,
    ...(error.data === undefined ? {} : { data: error.data }),
  },
});

export const resultAnswer = (id: CallId, result: unknown): JsonRpcAnswer => ({
  jsonrpc: '2.0',
  id,
  result: result ?? null,
});

/** Any error as the caller may see it. */
export const asRpcError = (error: unknown): RpcError =>
  error instanceof RpcError ? error : new RpcError(RPC_CODES.internal, String(error));

const invalidRequest = () => errorAnswer(null, new RpcError(RPC_CODES.invalidRequest, 'Invalid request'));

/** The answer to what is no JSON. */
export const parseErrorAnswer = () =>
  errorAnswer(null, new RpcError(RPC_CODES.parse, 'Parse error'));

/** An id is given back as it came, so it is none that only a parser can hold, like a list of lists of lists. */
const isId = (id: unknown): id is CallId =>
  id === null || typeof id === 'string' || typeof id === 'number';

/** One call of a body or frame, or the refusal of what is none. */
export function readCall(value: unknown): { call: Call } | { refusal: JsonRpcAnswer } {
  if (!isFields(value)) return { refusal: invalidRequest() };
  const { id = null, method, params } = value;
  if (!isId(id) || typeof method !== 'string') return { refusal: invalidRequest() };
  const list = isFields(params) ? [params] : (params ?? []);
  if (Array.isArray(list)) return { call: { id, method, params: list as unknown[] } };
  const error = new RpcError(RPC_CODES.invalidParams, 'Invalid params: expected an array');
  return { refusal: errorAnswer(id, error) };
}

/** Answers a call, or a batch of calls in order, as JSON. */
export async function answerBody(
  body: unknown,
  answer: (call: Call) => Promise<JsonRpcAnswer>,
): Promise<string> {
  const answerOne = async (value: unknown) => {
    const read = readCall(value);
    return JSON.stringify('call' in read ? await answer(read.call) : read.refusal);
  };
  if (!Array.isArray(body)) return answerOne(body);
  if (body.length === 0) return JSON.stringify(invalidRequest());
  const texts: string[] = [];
  let left = BATCH_CHARACTERS_MAX;
  for (const value of body as unknown[]) {
    const text = left > 0 ? await answerOne(value) : tooLarge(value);
    texts.push(text);
    left -= text.length;
    // A batch of thousands is not to keep blocks and other clients waiting.
    await letOthersRun();
  }
  return `[${texts.join(',')}]`;
}

function tooLarge(value: unknown): string {
  const read = readCall(value);
  if ('refusal' in read) return JSON.stringify(read.refusal);
  const error = new RpcError(RPC_CODES.internal, 'Batch response is too large');
  return JSON.stringify(errorAnswer(read.call.id, error));
}
