import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whose address a request comes from: the only place that says so. The socket’s peer; no header is believed. */
export const clientAddress = ({ socket }: Pick<IncomingMessage, 'socket'>): string =>
  peerAddress(socket);

/** Of a connection from which no request could be read. */
export const peerAddress = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress ?? '';
