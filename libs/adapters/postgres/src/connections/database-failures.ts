import { DatabaseError } from 'pg';
import { Unavailable } from '@tender/eventing';

/** Connection, resources, operator intervention, system error: the database could not do its part. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
/** Serialization failure, deadlock: the same transaction may well succeed the next time. */
const TRY_AGAIN_CODES = new Set(['40001', '40P01', '25006', '55P03']);
/** A lock or a statement took longer than it may. */
const TIMEOUT_CODES = new Set(['55P03', '57014']);
const CONNECTION_ENDED_CODES = new Set(['57P01', '57P02', '57P03']);

/** The connection is gone, or its state is not known. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !(error instanceof RangeError);
  return CONNECTION_ENDED_CODES.has(error.code ?? '') || (error.code ?? '').startsWith('08');
}

/** The statement was ended for its time: nothing is wrong with it, and nothing of it was done. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof DatabaseError && TIMEOUT_CODES.has(error.code ?? '');

/** `Unavailable` for what the caller may try again; any other error as it is. */
export function namedFailure(part: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  const code = error instanceof DatabaseError ? (error.code ?? '') : socketCode(error);
  const retryable =
    code === 'socket' || TRY_AGAIN_CODES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2));
  return retryable ? new Unavailable(part, { cause: error, reason: error.message }) : error;
}

const SOCKET_ERROR =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection|not queryable|client was closed|cannot use a pool after/i;

function socketCode(error: Error): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined || code === 'ECONNRESET' || code === 'EPIPE') return 'socket';
  return SOCKET_ERROR.test(error.message) ? 'socket' : '';
}
