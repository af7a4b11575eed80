import { Unavailable } from '@tender/eventing';
import { inProcessCalls } from './in-process-calls';

const double = { name: 'numbers.double', deadline_ms: 20 } as {
  readonly name: string;
  readonly deadline_ms: number;
  readonly __types?: (input: number) => number;
};

describe('questions inside one process', () => {
  it('reach the one who answers', async () => {
    const calls = inProcessCalls();
    calls.answer(double, async (input) => input * 2);
    await expect(calls.ask(double, 21)).resolves.toBe(42);
  });

  it('are unavailable when nobody answers them', async () => {
    await expect(inProcessCalls().ask(double, 1)).rejects.toBeInstanceOf(Unavailable);
  });

  it('are unavailable after their deadline', async () => {
    const calls = inProcessCalls();
    calls.answer(double, () => new Promise<number>(() => undefined));
    await expect(calls.ask(double, 1)).rejects.toThrow('no answer within 20 ms');
  });

  it('hand on the failure of the one who answers', async () => {
    const calls = inProcessCalls();
    calls.answer(double, async () => {
      throw new RangeError('too big');
    });
    await expect(calls.ask(double, 1)).rejects.toThrow(RangeError);
  });

  it('have one answerer', () => {
    const calls = inProcessCalls();
    calls.answer(double, async (input) => input);
    expect(() => calls.answer(double, async (input) => input)).toThrow('numbers.double');
  });
});
