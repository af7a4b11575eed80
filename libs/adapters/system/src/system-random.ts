import { randomUUID } from 'node:crypto';
import type { Random } from '@tender/eventing';
import { drawBytes } from './random-page';

/** Random numbers from the operating system's generator. */
export function systemRandom(): Random {
  return {
    bytes: drawBytes,
    uuid: () => randomUUID(),
    fraction: () => drawBytes(6).readUIntBE(0, 6) / 2 ** 48,
  };
}
