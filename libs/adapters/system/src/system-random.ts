import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '@tender/eventing';

/** Random numbers from the operating system's generator. */
export function systemRandom(): Random {
  return {
    bytes: (length) => randomBytes(length),
    uuid: () => randomUUID(),
    fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  };
}
