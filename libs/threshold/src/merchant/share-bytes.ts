import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fitsKey } from '../group';
import { keyShare, type KeyShare } from '../key-share';
import type { Role } from '../parties';

const SECRET_BYTES = 32;

/** Which share it must be. */
export interface ShareFor {
  readonly role: Role;
  readonly wallet: string;
  readonly epoch: number;
}

/** All that signing with a share takes: its secret, and the commitments of its key. The caller zeroes it. */
export const bytesOfShare = ({ secret, commitments }: KeyShare): Uint8Array =>
  concatBytes(secret, utf8ToBytes(JSON.stringify(commitments)));

/** The share that these bytes are, if it is that one; null of all else. */
export function shareOfBytes(bytes: Uint8Array, of: ShareFor): KeyShare | null {
  try {
    const commitments: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(SECRET_BYTES)));
    if (!Array.isArray(commitments)) return null;
    const share = keyShare({ ...of, secret: bytes.slice(0, SECRET_BYTES), commitments });
    if (fitsKey(share)) return share;
    share.erase();
    return null;
  } catch {
    return null;
  }
}
