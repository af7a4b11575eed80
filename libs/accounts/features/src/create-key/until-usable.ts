import type { Position } from '@tender/eventing';
import type { KeyDirectory } from '../key-directory/key-directory';

const WAIT_MS_MAX = 5_000;

/** Waits until every gateway accepts a key made at `position`: it is in the table. False when that takes too long. */
export async function untilUsable(
  directory: KeyDirectory,
  position: Position | null,
): Promise<boolean> {
  if (position === null) return true;
  return directory.knows(position, WAIT_MS_MAX);
}
