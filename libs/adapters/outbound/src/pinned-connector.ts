import net from 'node:net';
import { buildConnector } from 'undici';
import { canonicalAddress } from './blocked-addresses';

/** A connection that failed; nothing was sent. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
  constructor(
    readonly failure: 'connect_failed' | 'tls_failed' | 'timed_out' | 'destination_not_allowed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const CONNECT_TIMEOUT_MS = 5000;

/**
 * Connects to `address` and nowhere else, while Host, SNI and certificate stay those of the URL. No
 * second look-up can give another address between the check and the connection.
 */
export function pinnedConnector(address: string, host: string): buildConnector.connector {
  // HTTP/1.1 only: limits on headers and body are then the parser's own.
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  return (options, callback) => {
    const secure = options.protocol === 'https:';
    const { servername: _, ...unnamed } = options;
    const name = secure && net.isIP(host) === 0 ? { servername: host } : {};
    connect({ ...unnamed, ...name, hostname: address }, (error, socket) => {
      if (error || !socket) return callback(notConnected(error, secure), null);
      if (canonicalAddress(socket.remoteAddress ?? '') !== canonicalAddress(address)) {
        socket.destroy();
        return callback(new NotConnected('destination_not_allowed', 'connected elsewhere'), null);
      }
      return callback(null, socket);
    });
  };
}

const BEFORE_TLS = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EINVAL']);

function notConnected(error: Error | null, secure: boolean): NotConnected {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const message = code || 'no connection';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new NotConnected('timed_out', 'no connection in time', { cause: error });
  }
  const failure = secure && !BEFORE_TLS.has(code) ? 'tls_failed' : 'connect_failed';
  return new NotConnected(failure, message, { cause: error });
}
