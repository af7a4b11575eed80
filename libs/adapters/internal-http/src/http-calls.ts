import { CALLS_PATH, Unavailable, type Calls } from '@tender/eventing';
import type { Call } from '@tender/kernel';
import type { ServiceAnswer } from './exchange';
import type { ServiceClient } from './service-client';

/** `ask` and `askEach` throw `Unavailable` when there is no answer within the call's own deadline. */
export interface RemoteCalls extends Calls {
  /** The answers of all replicas of that service that are there. */
  askEach<Input, Output>(
    service: string,
    question: Call<Input, Output>,
    input: Input,
  ): Promise<readonly Output[]>;
}

export interface HttpCallsOptions {
  /** What this process answers itself. */
  readonly local: Calls & { answers(name: string): boolean };
  /** The other services, by name: a question's name begins with that of the service it is for. */
  readonly services: ReadonlyMap<string, ServiceClient>;
}

/** Questions between contexts in several processes: signed HTTP with the call's own deadline (settled 16). */
export function httpCalls({ local, services }: HttpCallsOptions): RemoteCalls {
  return {
    answer: (question, by) => local.answer(question, by),
    async ask<Input, Output>(question: Call<Input, Output>, input: Input): Promise<Output> {
      if (local.answers(question.name)) return local.ask(question, input);
      const service = question.name.slice(0, question.name.indexOf('.'));
      const asked = { ...requestOf(question, input), of_leader: true };
      const answer = await clientOf(service, question.name).send(asked);
      return outputOf(question, answer);
    },
    async askEach<Input, Output>(service: string, question: Call<Input, Output>, input: Input) {
      const answers = await clientOf(service, question.name).sendToEach(requestOf(question, input));
      return answers.map((answer) => outputOf(question, answer));
    },
  };

  function clientOf(service: string, question: string): ServiceClient {
    const client = services.get(service);
    if (!client) throw new Unavailable(question, { reason: `${service} has no address` });
    return client;
  }
}

const requestOf = ({ name, deadline_ms }: Call<never, unknown>, input: unknown) => ({
  method: 'POST',
  url: CALLS_PATH + name,
  body: Buffer.from(JSON.stringify(input)),
  said: { call: name },
  deadline_ms,
});

function outputOf<Output>({ name }: Call<never, Output>, { status, body }: ServiceAnswer): Output {
  if (status === 200) return JSON.parse(body.toString('utf8')) as Output;
  throw new Unavailable(name, { reason: `it was answered with ${status}` });
}
