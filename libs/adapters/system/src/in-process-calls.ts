import { Unavailable, type Calls } from '@tender/eventing';
import { invariant, type Call } from '@tender/kernel';

type Answerer = (input: unknown) => Promise<unknown>;

export interface InProcessCalls extends Calls {
  /** Whether somebody in this process answers that question. */
  answers(name: string): boolean;
  /** The answer to a question that came by its name, from another process. */
  answerTo(name: string, input: unknown): Promise<unknown>;
}

/** Questions between contexts that share a process: the answering function, under the call's deadline. */
export function inProcessCalls(): InProcessCalls {
  const answerers = new Map<string, Answerer>();
  return {
    answer(question, by) {
      invariant(!answerers.has(question.name), `one context answers ${question.name}`);
      answerers.set(question.name, by as Answerer);
    },
    async ask<Input, Output>(question: Call<Input, Output>, input: Input): Promise<Output> {
      const answerer = answerers.get(question.name);
      if (!answerer) throw new Unavailable(question.name, { reason: 'nobody answers it' });
      return withDeadline(question, answerer(input) as Promise<Output>);
    },
    answers: (name) => answerers.has(name),
    async answerTo(name, input) {
      const answerer = answerers.get(name);
      if (!answerer) throw new Unavailable(name, { reason: 'nobody answers it here' });
      return answerer(input);
    },
  };
}

async function withDeadline<Output>(
  { name, deadline_ms }: Call<never, unknown>,
  answer: Promise<Output>,
): Promise<Output> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `no answer within ${deadline_ms} ms`;
    timer = setTimeout(() => reject(new Unavailable(name, { reason })), deadline_ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
