import type { Position } from '@tender/eventing';
import type { Refused } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { ApiError, invalidParameter, type FieldFault } from './api-error';
import { tellPosition } from './serves';

type RefusalAnswer = readonly [status: number, code: string, message: string] | FieldFault;

/**
 * Refusal → status, code and sentence; or the field at fault, which is 400. A new refusal of the command without an
 * entry does not compile.
 */
export type RefusalAnswers<Refusal extends string> = Readonly<
  Record<Exclude<Refusal, 'idempotency_key_reused'>, RefusalAnswer>
>;

interface Answerable {
  readonly ok: true;
  readonly position: Position | null;
  readonly repeated: boolean;
}

/**
 * What a request's command has made; its position goes to the gateway. Throws a refusal as the client sees it:
 * `answers` has one for each of the command's own.
 */
export function accepted<Done extends Answerable, Refusal extends string>(
  handled: Done | Refused<Refusal>,
  answers: RefusalAnswers<Refusal>,
  reply: FastifyReply,
): Done {
  if (!handled.ok) throw refusalAnswer(handled, answers);
  tellPosition(reply, handled);
  return handled;
}

const KEY_REUSED = [
  409,
  'idempotency_key_reused',
  'This Idempotency-Key was used with another request. Send a new key.',
] as const;

/** A refusal as the client sees it. */
export function refusalAnswer<Refusal extends string>(
  { refusal, details }: Refused<Refusal>,
  answers: RefusalAnswers<Refusal>,
): ApiError {
  const answer: RefusalAnswer =
    refusal === 'idempotency_key_reused'
      ? KEY_REUSED
      : answers[refusal as Exclude<Refusal, 'idempotency_key_reused'>];
  if ('field' in answer) return invalidParameter(answer);
  const [status, code, message] = answer;
  return new ApiError(status, code, message, details);
}
