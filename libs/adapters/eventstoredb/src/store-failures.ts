import { status } from '@grpc/grpc-js';
import {
  AccessDeniedError,
  convertToCommandError,
  InvalidArgumentError,
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnsupportedError,
} from '@eventstore/db-client';
import { Unavailable } from '@tender/eventing';

export const PART = 'event store';

/** The server understood, and will say the same the next time. */
const FINAL = [
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnsupportedError,
];
const FINAL_CODES: readonly number[] = [
  ...[status.INVALID_ARGUMENT, status.PERMISSION_DENIED, status.UNIMPLEMENTED],
];

/** `Unavailable` for every error after which it is not known what the server has done. */
export function namedFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  const named = convertToCommandError(error);
  if (FINAL.some((kind) => named instanceof kind)) return named;
  if (isCommandError(named) && FINAL_CODES.includes(named.code ?? -1)) return named;
  // Neither a server's answer nor a failed connection: a mistake of ours.
  if (named instanceof TypeError || named instanceof RangeError) return named;
  return new Unavailable(PART, { cause: named, reason: named.message });
}
