import { setTimeout as pause } from 'node:timers/promises';
import type { ChainNode } from './chain-node';
import {
  answerBody, asRpcError, errorAnswer, resultAnswer, type Call, type JsonRpcAnswer,
} from './envelope';
import { isControl, METHODS } from './methods';
import { commitmentOf, fieldsOf, integerOf, isFields, type Params } from './params';
import { RPC_CODES, RpcError } from './rpc-error';

export interface HttpAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** A fault that must be seen as an HTTP status, not as a JSON-RPC error. */
class HttpFault extends Error {
  constructor(readonly status: number) {
    super(`injected HTTP ${status}`);
  }
}

/** Answers one parsed HTTP body: a call, or a batch of calls in order. */
export async function answerHttp(
  node: ChainNode,
  body: unknown,
  fromBrowser: boolean,
): Promise<HttpAnswer> {
  try {
    const text = await answerBody(body, (call) => answerCall(node, call, fromBrowser));
    return { status: 200, text };
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error;
    const fault = new RpcError(RPC_CODES.internal, error.message);
    return { status: error.status, text: JSON.stringify(errorAnswer(null, fault)) };
  }
}

async function answerCall(
  node: ChainNode,
  { id, method, params }: Call,
  fromBrowser: boolean,
): Promise<JsonRpcAnswer> {
  try {
    return resultAnswer(id, await callMethod(node, method, params, fromBrowser));
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
  if (isControl(name)) {
    node.ledger.wake();
  } else {
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
  for (const config of params) {
    const fields = isFields(config) ? fieldsOf(config) : {};
    if (fields['minContextSlot'] === undefined) continue;
    const contextSlot = ledger.newestSlot(commitmentOf(fields));
    if (contextSlot >= integerOf(fields['minContextSlot'], 'minContextSlot')) continue;
    const message = 'Minimum context slot has not been reached';
    throw new RpcError(RPC_CODES.minContextSlotNotReached, message, { contextSlot });
  }
}
