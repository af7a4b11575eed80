import { scrypt as scryptOfNode } from 'node:crypto';
import { promisify } from 'node:util';
import type { Scrypt } from './scrypt';

const derive: (
  password: Uint8Array,
  salt: Uint8Array,
  length: number,
  cost: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer> = promisify(scryptOfNode);

/** Off the loop, and of its progress nothing is known before its end. */
export const scrypt: Scrypt = async (password, salt, { dkLen, ...cost }, onProgress) => {
  onProgress?.(0);
  const bytes = await derive(password, salt, dkLen, cost);
  const key = new Uint8Array(bytes);
  bytes.fill(0);
  onProgress?.(1);
  return key;
};
