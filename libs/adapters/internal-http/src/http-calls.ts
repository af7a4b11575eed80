import {
  askedOf,
  CALLS_PATH,
  Unavailable,
  type Asked,
  type AskingFor,
  type Calls,
} from '@tender/eventing';
import type { AnsweredBy, Call } from '@tender/kernel';
import type { ServiceAnswer } from './exchange';
import type { ServiceClient } from './service-client';

export interface RemoteCalls extends Calls {
  /** The answers of all replicas of that service that are there. Throws `Unavailable`. */
  askEach<Input, Output>(
    service: string,
    question: Call<Input, Output, false>,
    input: Input,
    asking: AskingFor<false>,
  ): Promise<readonly Output[]>;
}

export interface HttpCallsOptions {
  /** What this process answers itself. */
  readonly local: Calls & { answeredBy(name: string): AnsweredBy | null };
  /** Whether this replica leads its service. */
  readonly leads: () => boolean;
  /** The services, by name. */
  readonly services: ReadonlyMap<string, ServiceClient>;
  /** The service that hosts the context of that name. */
  readonly hostOf: (context: string) => string;
}

/** What the seal of a question says. */
interface SaidOfCall extends Asked {
  readonly call: string;
}

/** Questions between contexts in several processes: signed HTTP with the call's own deadline. */
export function httpCalls({ local, leads, services, hostOf }: HttpCallsOptions): RemoteCalls {
  return {
    answer: (question, by) => local.answer(question, by),
    async ask<Input, Output, Changes extends boolean>(
      question: Call<Input, Output, Changes>,
      input: Input,
      asking: AskingFor<Changes>,
    ): Promise<Output> {
      const here = local.answeredBy(question.name);
      if (here === 'any' || (here === 'leader' && leads())) return local.ask(question, input, asking);
      const service = hostOf(question.name.slice(0, question.name.indexOf('.')));
      const of_leader = question.answered_by === 'leader';
      const request = { ...requestOf(question, input, asking), of_leader };
      return outputOf(question, await clientOf(service, question.name).send(request));
    },
    async askEach<Input, Output>(
      service: string,
      question: Call<Input, Output, false>,
      input: Input,
      asking: AskingFor<false>,
    ) {
      const request = requestOf(question, input, asking);
      const answers = await clientOf(service, question.name).sendToEach(request);
      return answers.map((answer) => outputOf(question, answer));
    },
  };

  function clientOf(service: string, question: string): ServiceClient {
    const client = services.get(service);
    if (!client) throw new Unavailable(question, { reason: `${service} has no address` });
    return client;
  }
}

function requestOf<Changes extends boolean>(
  question: Call<never, unknown, Changes>,
  input: unknown,
  asking: AskingFor<Changes>,
) {
  const { name, deadline_ms } = question;
  const said: SaidOfCall = { call: name, ...askedOf(question, asking) };
  const body = Buffer.from(JSON.stringify(input ?? null));
  return { method: 'POST', url: CALLS_PATH + name, body, said, deadline_ms, may_repeat: true };
}

function outputOf<Output>({ name }: Call<never, Output>, { status, body }: ServiceAnswer): Output {
  if (status === 200) return JSON.parse(body.toString('utf8')) as Output;
  throw new Unavailable(name, { reason: `it was answered with ${status}` });
}
