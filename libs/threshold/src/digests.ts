import { canonicalBytes, sha256Hex } from './canonical-bytes';
import type { Operation } from './operation';

const LINE_FEED = Uint8Array.of(10);

/** What an operation is, hex: without its expiry, so it is the same for every attempt at it. */
export function operationDigest({ exp: _, ...operation }: Operation): string {
  return sha256Hex(canonicalBytes('tender.operation.v1', operation));
}

/** What one signature is for, hex: this attempt at this operation, by exactly these bytes of a Solana message. */
export function intentDigest(operation: Operation, message: Uint8Array): string {
  return sha256Hex(canonicalBytes('tender.intent.v1', operation), LINE_FEED, message);
}
