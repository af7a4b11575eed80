import type { Call } from '@tender/kernel';
import type { AskingFor, Calls } from '../ports/calls';
import type { Telemetry } from '../ports/telemetry';

/** The same questions, timed by the context that asks. */
export function measuredCalls(calls: Calls, telemetry: Telemetry): Calls {
  return {
    answer: (question, by) => calls.answer(question, by),
    async ask<Input, Output, Changes extends boolean>(
      question: Call<Input, Output, Changes>,
      input: Input,
      asking: AskingFor<Changes>,
    ): Promise<Output> {
      const began = telemetry.ticks();
      const took = (outcome: 'answered' | 'failed'): void =>
        telemetry.time('tender_call_seconds', telemetry.ticks() - began, { call: question.name, outcome });
      try {
        const output = await calls.ask(question, input, asking);
        took('answered');
        return output;
      } catch (error) {
        took('failed');
        throw error;
      }
    },
  };
}
