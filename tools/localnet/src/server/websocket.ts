import type { WebSocket } from 'ws';
import type { ChainNode } from '../rpc/chain-node';
import { asRpcError, errorAnswer, resultAnswer, type JsonRpcAnswer } from '../rpc/dispatch';
import { isFields, type Fields } from '../rpc/params';
import { RPC_CODES, RpcError } from '../rpc/rpc-error';
import {
  SUBSCRIPTION_KINDS, type SubscriptionKind, type Subscriptions, type Subscriber,
} from './subscriptions';

const METHOD = /^([a-z]+)(Subscribe|Unsubscribe)$/;

/** Serves one open websocket: subscriptions and nothing else, as on a real node. */
export function serveSocket(
  node: ChainNode,
  subscriptions: Subscriptions,
  socket: WebSocket,
): void {
  const subscriber: Subscriber = {
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
  };
  socket.on('close', () => subscriptions.removeAllOf(subscriber));
  // A broken frame ends this socket; `close` follows.
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => {
    let call: unknown;
    try {
      call = JSON.parse((data as Buffer).toString());
    } catch {
      const error = new RpcError(RPC_CODES.parse, 'Parse error');
      subscriber.send(JSON.stringify(errorAnswer(null, error)));
      return;
    }
    // web3.js sends a `ping` notification every 5 s: no id, no answer.
    if (!isFields(call) || call['id'] === undefined) return;
    const { answer, opened } = answerSocket(node, subscriptions, subscriber, call);
    subscriber.send(JSON.stringify(answer));
    if (opened !== null) subscriptions.flush(opened);
  });
}

function answerSocket(
  node: ChainNode,
  subscriptions: Subscriptions,
  subscriber: Subscriber,
  { id, method, params = [] }: Fields,
): { answer: JsonRpcAnswer; opened: number | null } {
  try {
    const [, name, verb] = METHOD.exec(String(method)) ?? [];
    const kind = SUBSCRIPTION_KINDS.find((known) => known === name) as SubscriptionKind | undefined;
    if (!kind) throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
    if (!Array.isArray(params)) throw new RpcError(RPC_CODES.invalidParams, 'Invalid params');
    node.requests.set(String(method), (node.requests.get(String(method)) ?? 0) + 1);
    if (verb === 'Subscribe') {
      const opened = subscriptions.add(subscriber, kind, params);
      return { answer: resultAnswer(id, opened), opened };
    }
    if (!subscriptions.remove(Number(params[0]))) {
      throw new RpcError(RPC_CODES.invalidParams, 'Invalid subscription id.');
    }
    return { answer: resultAnswer(id, true), opened: null };
  } catch (error) {
    return { answer: errorAnswer(id, asRpcError(error)), opened: null };
  }
}
