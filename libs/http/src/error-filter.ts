import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Runtime } from '@tender/eventing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf, bodyOfError } from './error-answer';
import { RUNTIME } from './tokens';

/** Where an error of a Nest handler becomes an answer: `app.useGlobalFilters(new ErrorFilter(runtime))`. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(RUNTIME) private readonly runtime: Pick<Runtime, 'log'>) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    // Reactors answer to the bus, which parks and repeats; only HTTP has a client to answer.
    if (host.getType() !== 'http') throw error;
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<Partial<FastifyRequest>>();
    const correlation_id = request.tender?.correlation_id ?? null;
    const answer = answerOf(error, this.runtime.log, correlation_id);
    // The write may have been a repeat; what went wrong after it is not.
    void reply.removeHeader('Idempotency-Replayed');
    const body = bodyOfError(answer, correlation_id);
    return reply.status(answer.status).headers(answer.headers).send(body);
  }
}
