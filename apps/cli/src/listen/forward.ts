import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request } from 'undici';

/** What the dispatcher is answered. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** Why the target gave no answer; null where it did, or where there is none. */
  readonly fault: string | null;
}

/** Without a target every delivery has arrived. */
export const ARRIVED: Answer = { status: 200, headers: {}, body: Buffer.alloc(0), fault: null };

/** As long as the dispatcher waits. */
const DEADLINE_MS = 15_000;
const OF_THE_CONNECTION = new Set([
  ...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'],
]);

/** Passes a delivery on as it came, and answers what the target answered; 502 where it did not. */
export async function forward(
  target: string,
  { headers, body }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
): Promise<Answer> {
  try {
    const answered = await request(target, {
      method: 'POST',
      headers: ofTheMessage(headers),
      body,
      signal: AbortSignal.timeout(DEADLINE_MS),
      reset: true,
    });
    const bytes = Buffer.from(await answered.body.arrayBuffer());
    const status = answered.statusCode;
    return { status, headers: ofTheMessage(answered.headers), body: bytes, fault: null };
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException;
    const why = name === 'TimeoutError' ? 'no answer within 15 s' : (code ?? message);
    const said = Buffer.from(`tender listen: ${target} does not answer (${why})`);
    return { status: 502, headers: { 'content-type': 'text/plain' }, body: said, fault: why };
  }
}

const ofTheMessage = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name)));
