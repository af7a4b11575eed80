import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Delays } from '@tender/eventing';
import { STREAM_BEGAN } from '@tender/http';
import type { ClientAddresses } from '../admission/client-address';

/**
 * Requests of one connection that may wait for their answers. Answers leave in the order of the requests, so one that
 * is not read keeps all behind it. Clients and proxies send the next request after the answer; eight leave room for
 * one that does not.
 */
export const WAITING_MAX = 8;
/** How often a server looks at what its clients have taken. */
export const LOOK_EVERY_MS = 5000;
/**
 * Looks without a byte taken after which a client reads no more: 30 s. The system hands bytes on by the hundred
 * kilobytes where a line is fast, so a shorter time would take slow readers for idle ones.
 */
export const STALLED_LOOKS_MAX = 6;

interface Connection {
  /** Whose its newest request is. */
  address: string;
  waiting: number;
  /** Its answer has no end of its own: what is asked behind it would wait for ever. */
  streams: boolean;
  taken_bytes: number;
  stalled_looks: number;
}

export interface ConnectionGuard {
  /**
   * Of each address, ends connections with unread answers until at most so many of its requests wait on them, or all
   * that are left wait on one connection.
   */
  endUnread(waiting_max: number): void;
}

/**
 * Ends connections that keep what belongs to all: one that asks on and on without waiting for an answer, one that asks
 * behind an event stream, and one whose client no longer reads. All that they held is free at once. There is no
 * answer to tell them why: it would wait behind those that they do not read.
 */
export function guardConnections(
  server: Server,
  delays: Delays,
  addressOf: ClientAddresses,
): ConnectionGuard {
  const connections = new Map<Socket, Connection>();
  let stopLooking: (() => void) | null = null;

  server.on('connection', open);
  // Before the framework hears of the request, and of those as well that it refuses by itself.
  server.prependListener('request', count);
  server.on('close', () => stopLooking?.());
  return { endUnread };

  function open(socket: Socket): void {
    const nothing = { waiting: 0, streams: false, taken_bytes: 0, stalled_looks: 0 };
    connections.set(socket, { address: '', ...nothing });
    socket.once('close', () => connections.delete(socket));
    stopLooking ??= delays.after(LOOK_EVERY_MS, look);
  }

  function count(request: IncomingMessage, answer: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    connection.address = addressOf(request).counted;
    connection.waiting += 1;
    if (connection.waiting > WAITING_MAX || connection.streams) socket.destroy();
    answer.on('close', answered).on(STREAM_BEGAN, began);
  }

  function answered(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection) return;
    connection.waiting -= 1;
    // Nothing was let in behind a stream, so it is the stream that has ended.
    connection.streams = false;
  }

  function began(this: ServerResponse): void {
    const { socket } = this.req;
    const connection = connections.get(socket);
    if (!connection) return;
    connection.streams = true;
    if (connection.waiting > 1) socket.destroy();
  }

  function endUnread(waiting_max: number): void {
    const kept = new Map<string, number>();
    for (const [socket, { address, waiting, streams }] of connections) {
      // A stream that has begun holds no place.
      const is_unread = waiting > 0 && socket.writableLength > 0 && !socket.destroyed;
      if (!is_unread || streams) continue;
      const before = kept.get(address) ?? 0;
      if (before > 0 && before + waiting > waiting_max) socket.destroy();
      else kept.set(address, before + waiting);
    }
  }

  function look(): void {
    stopLooking = null;
    for (const [socket, connection] of connections) {
      if (isStalled(socket, connection)) socket.destroy();
    }
    if (connections.size > 0) stopLooking = delays.after(LOOK_EVERY_MS, look);
  }
}

/** Whether bytes wait for this client, and it has taken none of them for too many looks. */
function isStalled(socket: Socket, connection: Connection): boolean {
  const waiting_bytes = socket.writableLength;
  const taken_bytes = socket.bytesWritten - waiting_bytes;
  const moved = waiting_bytes === 0 || taken_bytes !== connection.taken_bytes;
  connection.taken_bytes = taken_bytes;
  connection.stalled_looks = moved ? 0 : connection.stalled_looks + 1;
  return connection.stalled_looks >= STALLED_LOOKS_MAX;
}
