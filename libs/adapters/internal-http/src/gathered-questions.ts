import { CALLS_PATH, EACH, type Asked } from '@tender/eventing';
import type { Call } from '@tender/kernel';
import type { ServiceAnswer, ServiceRequest } from './exchange';

/** What those hold up that wait for the slowest; and what the seal of all fits a header with. */
const QUESTIONS_MAX = 32;
/** Half of what a service reads. */
const BYTES_MAX = 128 * 1024;

interface Waiting {
  readonly asked: Asked;
  /** JSON. */
  readonly input: string;
  readonly answered: (output: unknown) => void;
}

export interface GatheredQuestions {
  /** `undefined`, after half of its time at most, where the question must be asked by itself. */
  ask(question: Call<never, unknown>, asked: Asked, input: string): Promise<unknown>;
}

/**
 * Questions of the same name that are asked in one turn of the event loop go in one exchange: it costs a busy process
 * more than its questions do. At rest each is alone in its turn, and none waits. One that holds up the others costs
 * them half of their time: each is asked by itself in what is left.
 */
export function gatheredQuestions(
  send: (question: string, request: ServiceRequest) => Promise<ServiceAnswer>,
): GatheredQuestions {
  const gathered = new Map<string, { question: Call<never, unknown>; waiting: Waiting[] }>();

  return {
    ask: (question, asked, input) =>
      new Promise((answered) => {
        const turn = gathered.get(question.name) ?? { question, waiting: [] };
        if (gathered.size === 0) setImmediate(sendAll);
        gathered.set(question.name, turn);
        turn.waiting.push({ asked, input, answered });
      }),
  };

  function sendAll(): void {
    const turns = [...gathered.values()];
    gathered.clear();
    for (const { question, waiting } of turns) {
      for (const some of inLots(waiting)) void sendSome(question, some);
    }
  }

  async function sendSome(question: Call<never, unknown>, some: readonly Waiting[]): Promise<void> {
    const { name, deadline_ms, answered_by } = question;
    if (some.length === 1) return some[0]?.answered(undefined);
    try {
      const answer = await send(name, {
        method: 'POST',
        url: CALLS_PATH + name + EACH,
        body: Buffer.from(`[${some.map(({ input }) => input).join(',')}]`),
        said: { call: name, asked: some.map(({ asked }) => asked) },
        deadline_ms: deadline_ms / 2,
        of_leader: answered_by === 'leader',
        may_repeat: true,
      });
      const outputs = answer.status === 200 ? (JSON.parse(answer.body.toString('utf8')) as unknown[]) : [];
      some.forEach(({ answered }, index) => answered(outputOf(outputs[index])));
    } catch {
      some.forEach(({ answered }) => answered(undefined));
    }
  }
}

/** `[output]`; null where the service could not answer this one. */
const outputOf = (answer: unknown): unknown => (Array.isArray(answer) ? answer[0] : undefined);

function inLots(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const lots: Waiting[][] = [];
  let bytes = 0;
  for (const one of waiting) {
    const lot = lots.at(-1);
    const is_full = !lot || lot.length === QUESTIONS_MAX || bytes + one.input.length > BYTES_MAX;
    if (is_full) lots.push([one]);
    else lot.push(one);
    bytes = (is_full ? 0 : bytes) + one.input.length;
  }
  return lots;
}
