import { STREAM_BEGAN } from '@tender/http';
import type { FastifyReply } from 'fastify';

/** How an answer let go of its request. */
export type Answered = 'closed' | 'stream_began';

/**
 * Runs `work` once: when the connection has let the answer go, sent or not, or when the answer is a stream that has
 * begun, which is all that its client waited for.
 */
export function onceAnswered({ raw }: FastifyReply, work: (how: Answered) => void): void {
  const end = (how: Answered) => (): void => {
    raw.off('close', closed).off(STREAM_BEGAN, began);
    work(how);
  };
  const closed = end('closed');
  const began = end('stream_began');
  raw.once('close', closed).once(STREAM_BEGAN, began);
}
