import type { WebSocket } from 'ws';
import type { ChainNode } from '../rpc/chain-node';
import {
  answerBody, asRpcError, errorAnswer, parseErrorAnswer, resultAnswer, type Call,
} from '../rpc/envelope';
import { integerOf, isFields } from '../rpc/params';
import { invalidParams, RPC_CODES, RpcError } from '../rpc/rpc-error';
import { report } from './report';
import { SUBSCRIPTION_KINDS, type Subscriber } from './subscription';
import type { Subscriptions } from './subscriptions';

const METHOD = /^([a-z]+)(Subscribe|Unsubscribe)$/;
/** Of one client that does not read what it is sent. */
const UNREAD_BYTES_MAX = 16 * 1024 * 1024;

/** Serves one open websocket: subscriptions and nothing else, as on a real node. */
export function serveSocket(
  node: ChainNode,
  subscriptions: Subscriptions,
  socket: WebSocket,
): void {
  const subscriber: Subscriber = {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > UNREAD_BYTES_MAX) socket.terminate();
      else socket.send(text);
    },
  };
  socket.on('close', () => subscriptions.removeAllOf(subscriber));
  // A broken frame ends this socket; `close` follows.
  socket.on('error', () => socket.terminate());
  // One after the other, so that a batch does not let the frame behind it pass.
  let answered = Promise.resolve();
  socket.on('message', (data) => {
    const text = (data as Buffer).toString();
    answered = answered
      .then(() => answerFrame(node, subscriptions, subscriber, text))
      .catch((error: unknown) => {
        report('a frame was not answered', error);
        socket.terminate();
      })
      .finally(() => {
        // One that closed meanwhile hears nothing more.
        if (socket.readyState !== socket.OPEN) subscriptions.removeAllOf(subscriber);
      });
  });
}

async function answerFrame(
  node: ChainNode,
  subscriptions: Subscriptions,
  subscriber: Subscriber,
  text: string,
): Promise<void> {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return subscriber.send(JSON.stringify(parseErrorAnswer()));
  }
  const calls = callsOf(frame);
  if (calls === null) return undefined;
  const opened: number[] = [];
  const answer = await answerBody(calls, async (call) => {
    try {
      const { name, subscribes } = readMethod(node, call);
      if (!subscribes) return resultAnswer(call.id, unsubscribe(subscriptions, call));
      const id = subscriptions.add(subscriber, name, call.params);
      opened.push(id);
      return resultAnswer(call.id, id);
    } catch (error) {
      return errorAnswer(call.id, asRpcError(error));
    }
  });
  subscriber.send(answer);
  // A client learns what its subscription is called before it hears of it.
  for (const id of opened) subscriptions.flush(id);
  return undefined;
}

/** Null where nothing is to be answered: web3.js sends a `ping` without an id every 5 s. */
function callsOf(frame: unknown): unknown {
  const isNotice = (call: unknown) => isFields(call) && call['id'] === undefined;
  if (!Array.isArray(frame) || frame.length === 0) return isNotice(frame) ? null : frame;
  const calls = (frame as unknown[]).filter((call) => !isNotice(call));
  return calls.length === 0 ? null : calls;
}

function readMethod({ requests }: ChainNode, { method }: Call) {
  const [, name, verb] = METHOD.exec(method) ?? [];
  const kind = SUBSCRIPTION_KINDS.find((known) => known === name);
  if (!kind) throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
  requests.set(method, (requests.get(method) ?? 0) + 1);
  return { name: kind, subscribes: verb === 'Subscribe' };
}

function unsubscribe(subscriptions: Subscriptions, { params }: Call): true {
  if (subscriptions.remove(integerOf(params[0], 'subscription id'))) return true;
  throw invalidParams('Invalid subscription id.');
}
