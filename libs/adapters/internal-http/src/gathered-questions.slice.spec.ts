import { realDelays } from '@tender/adapter-postgres';
import { inProcessCalls } from '@tender/adapter-system';
import { call } from '@tender/kernel';
import { httpCalls } from './http-calls';
import { clientOf, endAll, replica } from './testing/test-replicas';

afterEach(endAll);

const asking = { mode: 'test', correlation_id: 'corr' } as const;

interface Input {
  readonly text: string;
}
const answerTo = ({ text }: Input) => ({ length: text.length });

/** Asks a service that is asked for the first time, and hears how: the questions of each exchange. */
async function asker(each: (inputs: readonly Input[]) => unknown, deadline_ms = 60_000) {
  const exchanges: [path: string, questions: number][] = [];
  const url = await replica(({ url: path = '' }, body, response) => {
    const input = JSON.parse(body.toString()) as Input | readonly Input[];
    const many = input instanceof Array ? input : null;
    exchanges.push([path, many?.length ?? 1]);
    const answer = many ? each(many) : answerTo(input as Input);
    if (answer === 'never') return;
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? null));
  });
  const calls = httpCalls({
    local: inProcessCalls(realDelays),
    leads: () => false,
    services: new Map([['texts', clientOf([url])]]),
    hostOf: () => 'texts',
  });
  const lengthOf = call<Input, { length: number }>('texts.length-of', { deadline_ms, gathered: true });
  const ask = (...texts: readonly string[]) =>
    Promise.all(texts.map((text) => calls.ask(lengthOf, { text }, asking)));
  return { exchanges, ask };
}
const wellAnswered = (inputs: readonly Input[]) => inputs.map((input) => [answerTo(input)]);
const many = (count: number) => Array.from({ length: count }, (_, index) => 'x'.repeat(index));
const lengths = (count: number) => Array.from({ length: count }, (_, length) => ({ length }));

test('what is asked in one turn goes together, so many at a time; what is asked alone goes alone', async () => {
  const { exchanges, ask } = await asker(wellAnswered);
  expect(await ask(...many(70))).toEqual(lengths(70));
  expect(await ask('alone')).toEqual([{ length: 5 }]);
  expect(exchanges.toSorted(([, a], [, b]) => b - a)).toEqual([
    ['/internal/calls/texts.length-of/each', 32],
    ['/internal/calls/texts.length-of/each', 32],
    ['/internal/calls/texts.length-of/each', 6],
    ['/internal/calls/texts.length-of', 1],
  ]);
});

test('together they are no larger than a service reads', async () => {
  const { exchanges, ask } = await asker(wellAnswered);
  const large = 'x'.repeat(50_000);
  expect(await ask(large, large, large, large, large)).toEqual(Array(5).fill({ length: 50_000 }));
  expect(exchanges.map(([, questions]) => questions).toSorted()).toEqual([1, 2, 2]);
});

test('one that has no answer among the others is asked by itself', async () => {
  const { exchanges, ask } = await asker((inputs) =>
    wellAnswered(inputs).map((answer, index) => (index === 2 ? null : answer)),
  );
  expect(await ask(...many(5))).toEqual(lengths(5));
  expect(exchanges.map(([, questions]) => questions)).toEqual([5, 1]);
});

test('one that is not answered holds up the others for half of their time: then each is asked by itself', async () => {
  const { exchanges, ask } = await asker(() => 'never', 4_000);
  expect(await ask(...many(5))).toEqual(lengths(5));
  expect(exchanges.map(([, questions]) => questions)).toEqual([5, 1, 1, 1, 1, 1]);
});

test('a replica of before, which knows no lists, answers each by itself', async () => {
  const { exchanges, ask } = await asker(() => undefined);
  expect(await ask(...many(5))).toEqual(lengths(5));
  expect(exchanges.map(([, questions]) => questions)).toEqual([5, 1, 1, 1, 1, 1]);
});
