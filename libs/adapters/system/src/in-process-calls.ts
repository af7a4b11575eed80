import {
  askedOf,
  inTime,
  NotThisOne,
  Unavailable,
  type Answerer,
  type Asked,
  type AskingFor,
  type Calls,
  type Delays,
} from '@tender/eventing';
import { invariant, type AnsweredBy, type Call } from '@tender/kernel';

export interface InProcessCalls extends Calls {
  /** Which replica may answer that question; null when no context of this process does. */
  answeredBy(name: string): AnsweredBy | null;
  /** The answer to a question that came by its name, from another process. Rejects with what went wrong. */
  answerTo(name: string, input: unknown, asked: Asked): Promise<unknown>;
}

interface Answering {
  readonly answered_by: AnsweredBy;
  readonly by: Answerer<unknown, unknown>;
}

/**
 * Questions between contexts that share a process: the answering function, under the call's deadline. Input and
 * output are handed over as they are: their types are plain JSON, so what works here works between processes.
 */
export function inProcessCalls(delays: Delays): InProcessCalls {
  const answering = new Map<string, Answering>();
  return {
    answer({ name, answered_by }, by) {
      invariant(!answering.has(name), `one context answers ${name}`);
      answering.set(name, { answered_by, by: by as Answerer<unknown, unknown> });
    },
    async ask<Input, Output, Changes extends boolean>(
      question: Call<Input, Output, Changes>,
      input: Input,
      asking: AskingFor<Changes>,
    ): Promise<Output> {
      const { name, deadline_ms } = question;
      const asked = askedOf(question, asking);
      const answer = answerTo(name, input, asked).catch((error: unknown) => {
        if (error instanceof Unavailable) throw error;
        throw new NotThisOne(name, { cause: error, reason: 'the answering context has failed' });
      });
      const late = (): never => {
        throw new Unavailable(name, { reason: `no answer within ${deadline_ms} ms` });
      };
      return (await inTime(delays, answer, deadline_ms, late)) as Output;
    },
    answeredBy: (name) => answering.get(name)?.answered_by ?? null,
    answerTo,
  };

  async function answerTo(name: string, input: unknown, asked: Asked): Promise<unknown> {
    const found = answering.get(name);
    if (!found) throw new Unavailable(name, { reason: 'no context answers it here' });
    return found.by(input, asked);
  }
}
