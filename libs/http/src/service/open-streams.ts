import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

/** Emitted by the raw answer of a route that streams once its headers have left. */
export const STREAM_BEGAN = 'tender:stream-began';

/**
 * What a server owes to a route with `stream: true`, as the last `onSend` hook of that route. Its handler sends a
 * `Readable` of server-sent events, which is destroyed when the client leaves. The client hears at once that it is
 * listening, and a server that stops ends the streams: clients that listen never end by themselves.
 */
export function openStreams(fastify: FastifyInstance): onSendHookHandler {
  const open = new Map<ServerResponse, Readable>();
  let is_closing = false;
  fastify.addHook('preClose', (done) => {
    is_closing = true;
    for (const [answer, source] of open) end(answer, source);
    done();
  });

  return function onSend(_, reply, payload, done) {
    if (!(payload instanceof Readable)) return done(null, payload);
    void reply.header('Content-Type', 'text/event-stream; charset=utf-8');
    done(null, payload);
    const { raw } = reply;
    if (raw.destroyed) return;
    // Fastify has set them by now, and would keep them until the first event.
    raw.flushHeaders();
    open.set(raw, payload);
    raw.once('close', () => open.delete(raw));
    raw.emit(STREAM_BEGAN);
    if (is_closing) end(raw, payload);
  };
}

/** In order, so that the client does not take it for a fault; the source is destroyed when the answer has ended. */
function end(answer: ServerResponse, source: Readable): void {
  source.unpipe(answer);
  answer.end();
}
