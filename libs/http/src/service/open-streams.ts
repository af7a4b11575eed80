import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Delays } from '@tender/eventing';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

/** Emitted by the raw answer of a route that streams once its headers have left. */
export const STREAM_BEGAN = 'tender:stream-began';
/** A proxy takes a stream that is silent for too long for a dead one. */
export const COMMENT_EVERY_MS = 15_000;

const COMMENT = ':\n\n';

/** The streams of one server: the last `onSend` hooks of its routes with `stream: true`. */
export interface OpenStreams {
  /** Its handler makes the stream. */
  readonly own: onSendHookHandler;
  /** Its handler passes on the stream of another process, comments and all. */
  readonly passedOn: onSendHookHandler;
}

interface OpenStream {
  readonly source: Readable;
  readonly comments: boolean;
  /** What was said a comment ago had not left then. */
  waited: boolean;
}

/**
 * What a server owes to a route with `stream: true`. Its handler sends a `Readable` of server-sent events, which is
 * destroyed when the client leaves. The client hears at once that it is listening, then a comment every 15 s: one timer
 * for all. A client that takes nothing from one comment to the next is dropped: what waits for it would only grow. A
 * server that stops ends the streams: clients that listen never end by themselves.
 */
export function openStreams(fastify: FastifyInstance, delays: Delays): OpenStreams {
  const open = new Map<ServerResponse, OpenStream>();
  let is_closing = false;
  let stopTimer: (() => void) | null = null;
  fastify.addHook('preClose', (done) => {
    is_closing = true;
    stopTimer?.();
    for (const [answer, { source }] of open) end(answer, source);
    done();
  });

  return { own: hook(true), passedOn: hook(false) };

  function hook(comments: boolean): onSendHookHandler {
    return function onSend(_, reply, payload, done) {
      if (!(payload instanceof Readable)) return done(null, payload);
      void reply.header('Content-Type', 'text/event-stream; charset=utf-8');
      // A proxy that gathers what an answer says would keep the events.
      void reply.header('X-Accel-Buffering', 'no');
      // Sent by hand: what Fastify and `pipe` put around a stream weighs as much as the rest that is kept of it.
      reply.hijack();
      const { raw } = reply;
      if (raw.destroyed) return void payload.destroy();
      raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders).flushHeaders();
      pass(payload, raw);
      open.set(raw, { source: payload, comments, waited: false });
      raw.once('close', () => {
        open.delete(raw);
        payload.destroy();
      });
      raw.emit(STREAM_BEGAN);
      if (is_closing) end(raw, payload);
      else stopTimer ??= delays.after(COMMENT_EVERY_MS, comment);
    };
  }

  function comment(): void {
    stopTimer = null;
    for (const [answer, stream] of open) {
      const waits = answer.writableLength > 0;
      if (waits && stream.waited) answer.destroy();
      else if (stream.comments && !waits) answer.write(COMMENT);
      stream.waited = waits;
    }
    if (open.size > 0) stopTimer = delays.after(COMMENT_EVERY_MS, comment);
  }
}

/** What the source says, at the client's pace; one that breaks off breaks the answer off, too. */
function pass(source: Readable, answer: ServerResponse): void {
  source.on('data', (chunk: Buffer | string) => {
    if (!answer.write(chunk)) source.pause();
  });
  answer.on('drain', () => source.resume());
  source.on('error', breaksOff);
  source.once('close', () => {
    if (source.readableEnded) answer.end();
    else answer.destroy();
  });
  if (source.closed) answer.destroy();
}

/** It closes next, which says it to the client. */
const breaksOff = (): void => undefined;

/** In order, so that the client does not take it for a fault; the source is destroyed when the answer has ended. */
function end(answer: ServerResponse, source: Readable): void {
  source.pause();
  answer.end();
}
