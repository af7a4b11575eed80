import { randomBytes } from 'node:crypto';

const PAGE_BYTES = 4_096;
let page = Buffer.alloc(0);

/**
 * Random bytes from the operating system's generator, drawn a page at a time: one call to it costs more than a
 * validation. No byte is given out twice. What is erased after its use takes `randomBytes` instead.
 */
export function drawBytes(length: number): Buffer {
  // `randomBytes` throws where it is no length.
  if (!(length >= 0 && length <= PAGE_BYTES)) return randomBytes(length);
  if (page.length < length) page = randomBytes(PAGE_BYTES);
  const drawn = page.subarray(0, length);
  page = page.subarray(length);
  return drawn;
}
