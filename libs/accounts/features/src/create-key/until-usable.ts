import type { Position, Runtime } from '@tender/eventing';
import { keyDirectory } from '../key-directory/key-directory';

const WAIT_MS_MAX = 5_000;

/** Waits until every gateway accepts a key made at `position`: it is in the table. False when that takes too long. */
export async function untilUsable(runtime: Runtime, position: Position | null): Promise<boolean> {
  if (position === null) return true;
  return keyDirectory(runtime).knows(position, WAIT_MS_MAX);
}
