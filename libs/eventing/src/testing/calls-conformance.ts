/// <reference types="jest" />
import { call, commandCall, done, refuse } from '@tender/kernel';
import type { Asked, Calls } from '../ports/calls';
import { NotThisOne, Unavailable } from '../ports/failures';

/** Questions of contexts that exist for this suite alone. */
export const sumOf = call<{ numbers: readonly number[] }, { sum: number }>('sums.sum-of', {
  deadline_ms: 60_000,
});
export const whoAsked = call<null, Asked>('sums.who-asked', { deadline_ms: 60_000 });
export const whatArrives = call<object | null, object | null>('sums.what-arrives', { deadline_ms: 60_000 });
export const neverAnswered = call<null, null>('sums.never-answered', { deadline_ms: 100 });
export const failing = call<null, null>('sums.failing', { deadline_ms: 60_000 });
export const cannotNow = call<null, null>('sums.cannot-now', { deadline_ms: 120_000 });
export const unknownHere = call<null, null>('sums.unknown-here', { deadline_ms: 300 });
/** Adds to a total, once per command id; by the leader. */
export const addUp = commandCall<{ by: number }, { total: number }, 'too_much'>('sums.add-up', {
  deadline_ms: 120_000,
});
/** Asked by many at once. */
export const halfOf = call<{ of: number }, { half: number }>('sums.half-of', {
  deadline_ms: 60_000,
  gathered: true,
});
/** Which process leads; only it answers. */
export const whoLeads = call<null, { pid: number }>('sums.who-leads', {
  deadline_ms: 120_000,
  answered_by: 'leader',
});

/** Where `addUp` keeps what it has done: one entry per command, and the total after it. */
export interface Additions {
  /** The total after that command; what it came to at its first time, however often it is made. */
  add(command_id: string, by: number): Promise<number>;
}

const MOST = 1_000;

/** Answers the questions of this suite. */
export function answerSums(calls: Calls, additions: Additions): void {
  calls.answer(sumOf, async ({ numbers }) => ({ sum: numbers.reduce((sum, one) => sum + one, 0) }));
  calls.answer(whoAsked, async (_, asked) => asked);
  calls.answer(whatArrives, async (input) => input);
  calls.answer(neverAnswered, () => new Promise(() => undefined));
  calls.answer(failing, async () => {
    throw new RangeError('the secret of the context that answers');
  });
  calls.answer(cannotNow, async () => {
    throw new NotThisOne('the secret list', { reason: 'it is out of date' });
  });
  calls.answer(halfOf, async ({ of }) => {
    if (of % 2 !== 0) throw new RangeError('the secret of odd numbers');
    return { half: of / 2 };
  });
  calls.answer(addUp, async ({ by }, { command_id }) => {
    if (by > MOST) return refuse('too_much', { most: MOST });
    return done({ total: await additions.add(String(command_id), by) });
  });
  calls.answer(whoLeads, async () => ({ pid: process.pid }));
}

const asking = { mode: 'test', correlation_id: '4f0c8f66-8a7e-4d0e-9a53-0f4f5d3b6a11' } as const;

/** What a context that asks another may rely on, in either run. */
export function callsConformance(name: string, opened: () => Calls): void {
  describe(`Calls: ${name}`, () => {
    const ask = () => opened();

    test('a question is answered', async () => {
      expect(await ask().ask(sumOf, { numbers: [1, 2, 39] }, asking)).toEqual({ sum: 42 });
    });

    test('the answering context hears the mode and the correlation, and nothing else of the asking one', async () => {
      const whole = { ...asking, merchant_id: 'm-1', command_id: 'of another thing' };
      expect(await ask().ask(whoAsked, null, whole)).toEqual({ ...asking, command_id: null });
    });

    test('JSON arrives as it was', async () => {
      const input = { text: 'ỌJÀ', list: [1, null, [true]], none: null, deep: { of: { it: '' } } };
      expect(await ask().ask(whatArrives, input, asking)).toEqual(input);
      expect(await ask().ask(whatArrives, null, asking)).toBeNull();
    });

    test.each([
      ['after its deadline', neverAnswered, false],
      ['when no context answers it', unknownHere, false],
      ['when its answering function fails, which others need not', failing, true],
      ['when it cannot be answered now, while others can', cannotNow, true],
    ])('a question is unavailable %s', async (_, question, others_may) => {
      const answer = ask().ask(question, null, asking);
      await expect(answer).rejects.toBeInstanceOf(Unavailable);
      const failure: unknown = await answer.catch((error: unknown) => error);
      expect(failure instanceof NotThisOne).toBe(others_may);
    });

    test('a failure says nothing of why inside', async () => {
      await expect(ask().ask(failing, null, asking)).rejects.not.toThrow('secret');
    });

    test('of many that are asked at once each has its own answer, and one that fails takes no other along', async () => {
      const numbers = Array.from({ length: 100 }, (_, index) => (index === 70 ? 71 : 2 * index));
      const answers = await Promise.allSettled(
        numbers.map((of) => ask().ask(halfOf, { of }, asking)),
      );
      const failed = answers.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
      expect(failed).toEqual([70]);
      const halves = answers.map((answer) => answer.status === 'fulfilled' && answer.value.half);
      expect(halves).toEqual(numbers.map((of, index) => index !== 70 && of / 2));
    });

    test('a command has one effect however often it is asked, and answers the same', async () => {
      const command = { ...asking, command_id: 'add-7' };
      const first = await ask().ask(addUp, { by: 7 }, command);
      const again = await Promise.all([1, 2].map(() => ask().ask(addUp, { by: 7 }, command)));
      expect(first).toMatchObject({ ok: true });
      expect(again).toEqual([first, first]);
      const total = first.ok ? first.value.total : 0;
      const next = await ask().ask(addUp, { by: 1 }, { ...asking, command_id: 'add-1' });
      expect(next).toEqual({ ok: true, value: { total: total + 1 } });
    });

    test('a refusal of a command is a value', async () => {
      const command = { ...asking, command_id: 'add-too-much' };
      expect(await ask().ask(addUp, { by: 1_001 }, command)).toEqual({
        ...{ ok: false, refusal: 'too_much' },
        details: { most: 1_000 },
      });
    });

    test('only the replica that leads answers what is asked of the leader', async () => {
      const { pid } = await ask().ask(whoLeads, null, asking);
      expect(await ask().ask(whoLeads, null, asking)).toEqual({ pid });
    });
  });
}
