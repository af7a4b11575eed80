import type { IncomingMessage } from 'node:http';

/** Of a ceremony’s longest message: a quarter of it. */
const BODY_MAX = 64 * 1024;

/** What was sent, as JSON; undefined where it is too long or no JSON. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
