import { setTimeout as pause } from 'node:timers/promises';
import type { ChainNode } from './chain-node';
import { isControl, METHODS } from './methods';
import { commitmentOf, isFields, type Params } from './params';
import { RPC_CODES, RpcError } from './rpc-error';

export interface JsonRpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: JsonRpcAnswer | readonly JsonRpcAnswer[];
}

/** A fault that must be seen as an HTTP status, not as a JSON-RPC error. */
class HttpFault extends Error {
  constructor(readonly status: number) {
    super(`injected HTTP ${status}`);
  }
}

export const errorAnswer = (id: unknown, error: RpcError): JsonRpcAnswer => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: error.code,
    message: error.message,
    ...(error.data === undefined ? {} : { data: error.data }),
  },
});

export const resultAnswer = (id: unknown, result: unknown): JsonRpcAnswer => ({
  jsonrpc: '2.0',
  id,
  result: result ?? null,
});

/** Any error as the caller may see it. */
export const asRpcError = (error: unknown): RpcError =>
  error instanceof RpcError ? error : new RpcError(RPC_CODES.internal, String(error));

/** Answers one parsed HTTP body: a call, or a batch of calls in order. */
export async function answerHttp(
  node: ChainNode,
  body: unknown,
  fromBrowser: boolean,
): Promise<HttpAnswer> {
  const calls = Array.isArray(body) ? (body as unknown[]) : [body];
  if (calls.length === 0) {
    const empty = new RpcError(RPC_CODES.invalidRequest, 'Invalid request');
    return { status: 200, body: errorAnswer(null, empty) };
  }
  const answers: JsonRpcAnswer[] = [];
  try {
    for (const call of calls) answers.push(await answerCall(node, call, fromBrowser));
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error;
    const fault = new RpcError(RPC_CODES.internal, error.message);
    return { status: error.status, body: errorAnswer(null, fault) };
  }
  const [first] = answers;
  return { status: 200, body: Array.isArray(body) || !first ? answers : first };
}

async function answerCall(
  node: ChainNode,
  call: unknown,
  fromBrowser: boolean,
): Promise<JsonRpcAnswer> {
  if (!isFields(call) || typeof call['method'] !== 'string') {
    return errorAnswer(null, new RpcError(RPC_CODES.invalidRequest, 'Invalid request'));
  }
  const { id = null, method } = call;
  const params = isFields(call['params']) ? [call['params']] : (call['params'] ?? []);
  try {
    if (!Array.isArray(params)) {
      throw new RpcError(RPC_CODES.invalidParams, 'Invalid params: expected an array');
    }
    return resultAnswer(id, await callMethod(node, method as string, params, fromBrowser));
  } catch (error) {
    if (error instanceof HttpFault) throw error;
    return errorAnswer(id, asRpcError(error));
  }
}

async function callMethod(
  node: ChainNode,
  name: string,
  params: Params,
  fromBrowser: boolean,
): Promise<unknown> {
  const { faults, requests } = node;
  const method = METHODS.get(name);
  // A page on any web site can reach the loopback; it must not move this chain's time.
  if (!method || (isControl(name) && fromBrowser)) {
    throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
  }
  requests.set(name, (requests.get(name) ?? 0) + 1);
  if (!isControl(name)) {
    if (faults.delayMs > 0) await pause(faults.delayMs);
    const failure = faults.takeFailure(name);
    if (failure?.httpStatus) throw new HttpFault(failure.httpStatus);
    if (failure) throw new RpcError(failure.code, 'injected failure');
  }
  checkMinContextSlot(node, params);
  return method(node, params);
}

/** The caller has seen a later block elsewhere, and wants no older answer. */
function checkMinContextSlot({ ledger }: ChainNode, params: Params): void {
  for (const fields of params) {
    if (!isFields(fields) || typeof fields['minContextSlot'] !== 'number') continue;
    const contextSlot = ledger.newestSlot(commitmentOf(fields));
    if (contextSlot >= fields['minContextSlot']) continue;
    const message = 'Minimum context slot has not been reached';
    throw new RpcError(RPC_CODES.minContextSlotNotReached, message, { contextSlot });
  }
}
