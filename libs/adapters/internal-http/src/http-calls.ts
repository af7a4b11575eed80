import {
  askedOf,
  CALLS_PATH,
  NotThisOne,
  Unavailable,
  type Asked,
  type AskingFor,
  type Calls,
} from '@tender/eventing';
import type { AnsweredBy, Call } from '@tender/kernel';
import type { ServiceAnswer } from './exchange';
import { gatheredQuestions } from './gathered-questions';
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

/** Of a service that answers, and has failed with this question. */
const FAILED = 500;

/** What the seal of a question says. */
interface SaidOfCall extends Asked {
  readonly call: string;
}

/** Questions between contexts in several processes: signed HTTP with the call's own deadline. */
export function httpCalls({ local, leads, services, hostOf }: HttpCallsOptions): RemoteCalls {
  const gathered = gatheredQuestions((name, request) => hostedBy(name).send(request));

  return {
    answer: (question, by) => local.answer(question, by),
    async ask<Input, Output, Changes extends boolean>(
      question: Call<Input, Output, Changes>,
      input: Input,
      asking: AskingFor<Changes>,
    ): Promise<Output> {
      const here = local.answeredBy(question.name);
      if (here === 'any' || (here === 'leader' && leads())) return local.ask(question, input, asking);
      const began = performance.now();
      const asked = askedOf(question, asking);
      const text = JSON.stringify(input ?? null);
      const output = question.gathered ? await gathered.ask(question, asked, text) : undefined;
      if (output !== undefined) return output as Output;
      const request = {
        ...requestOf(question, asked, text),
        deadline_ms: question.deadline_ms - (performance.now() - began),
        of_leader: question.answered_by === 'leader',
      };
      return outputOf(question, await hostedBy(question.name).send(request));
    },
    async askEach<Input, Output>(
      service: string,
      question: Call<Input, Output, false>,
      input: Input,
      asking: AskingFor<false>,
    ) {
      const request = requestOf(question, askedOf(question, asking), JSON.stringify(input ?? null));
      const answers = await clientOf(service, question.name).sendToEach(request);
      return answers.map((answer) => outputOf(question, answer));
    },
  };

  function hostedBy(question: string): ServiceClient {
    return clientOf(hostOf(question.slice(0, question.indexOf('.'))), question);
  }

  function clientOf(service: string, question: string): ServiceClient {
    const client = services.get(service);
    if (!client) throw new Unavailable(question, { reason: `${service} has no address` });
    return client;
  }
}

function requestOf({ name, deadline_ms }: Call<never, unknown>, asked: Asked, input: string) {
  const said: SaidOfCall = { call: name, ...asked };
  const body = Buffer.from(input);
  return { method: 'POST', url: CALLS_PATH + name, body, said, deadline_ms, may_repeat: true };
}

function outputOf<Output>({ name }: Call<never, Output>, { status, body }: ServiceAnswer): Output {
  if (status === 200) return JSON.parse(body.toString('utf8')) as Output;
  const reason = `it was answered with ${status}`;
  throw status === FAILED ? new NotThisOne(name, { reason }) : new Unavailable(name, { reason });
}
