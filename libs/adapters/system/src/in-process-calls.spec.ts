import { realDelays } from '@tender/adapter-postgres';
import { answerSums, callsConformance, sumOf } from '@tender/eventing/testing';
import { inProcessCalls } from './in-process-calls';

describe('questions inside one process', () => {
  const calls = inProcessCalls(realDelays);
  const totals = new Map<string, number>();
  let total = 0;
  answerSums(calls, {
    async add(command_id, by) {
      if (!totals.has(command_id)) totals.set(command_id, (total += by));
      return totals.get(command_id) as number;
    },
  });
  callsConformance('in one process', () => calls);

  it('have one answerer', () => {
    expect(() => calls.answer(sumOf, async () => ({ sum: 0 }))).toThrow('sums.sum-of');
  });
});
