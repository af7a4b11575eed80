import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Answers that one turn of the event loop has made ready are written at its end, one after the other. A write may have
 * to wake a sleeping client: between two requests that holds up each of those behind, done at once it happens once.
 */
export function answerTogether(atEndOfTurn: (work: () => void) => void) {
  let ready: (() => void)[] = [];
  const writeAll = (): void => {
    const writes = ready;
    ready = [];
    for (const write of writes) write();
  };

  return function onSend(
    _request: FastifyRequest,
    _reply: FastifyReply,
    payload: unknown,
    done: DoneFuncWithErrOrRes,
  ): void {
    if (ready.push(() => done(null, payload)) === 1) atEndOfTurn(writeAll);
  };
}
