import { Unavailable } from '@tender/eventing';
import { stdSerializers } from 'pino';

/** What sockets and Postgres say of a server that is away. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03', '08000', '08003', '08006'],
]);
const AWAY_NAMES = /^KafkaJS|^UnavailableError$/;
/** Of `pg`, whose errors have no code then. */
const AWAY_MESSAGES = /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/;
/** A mistake of ours may come as the cause of what seems to be an outage. */
const OURS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'InvariantViolation']);

/**
 * An error as the log has it. Where something is away a stack tells nothing: what is said is what and why. Of several
 * errors in one, each is described so.
 */
export function describeError(error: unknown): unknown {
  if (error instanceof AggregateError) {
    const { name, message, errors } = error;
    return { type: name, message, causes: errors.map(describeError) };
  }
  if (!(error instanceof Error) || !isOutage(error)) return stdSerializers.err(error as Error);
  const { name, message, code } = error as NodeJS.ErrnoException;
  const { cause } = error;
  const tells_more = cause instanceof Error && !message.includes(cause.message);
  return { type: name, message, code, why: tells_more ? cause.message : undefined };
}

function isOutage(error: Error): boolean {
  const { name, message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (cause instanceof Error && OURS.has(cause.name)) return false;
  if (error instanceof Unavailable || AWAY_NAMES.test(name)) return true;
  return AWAY.has(String(code)) || AWAY_MESSAGES.test(message);
}
