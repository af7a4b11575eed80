import type { RowsByKey } from '@tender/eventing';
import { gatheredRows } from './gathered-rows';

interface Note {
  readonly text: string;
}
const NOTES: RowsByKey<Note> = {
  select: (schema, parameter) => `select key, text from ${schema}.notes where key = any($${parameter})`,
};

/** Holds one note for each key that is asked for, and tells what was asked. */
function tables(asked: (readonly [text: string, keys: unknown])[] = []) {
  const query = async <Row>(text: string, keys: readonly unknown[] = []): Promise<Row[]> => {
    asked.push([text, keys]);
    const schemas = [...text.matchAll(/from (\w+)\.notes/g)].map(([, schema]) => schema);
    return schemas.flatMap((schema, at) =>
      (keys[at] as string[]).map((key) => ({ schema, key, text: `${schema} ${key}` }) as Row),
    );
  };
  return { rowsByKey: gatheredRows({ query }), asked };
}

const textsOf = (rows: readonly Note[]): readonly string[] => rows.map(({ text }) => text);

it('asks one question for all that is asked in a turn, each key once, and answers each its own', async () => {
  const { rowsByKey, asked } = tables();
  const found = await Promise.all([
    rowsByKey(NOTES, 'payments', 'a'),
    rowsByKey(NOTES, 'billing', 'a'),
    rowsByKey(NOTES, 'payments', 'b'),
    rowsByKey(NOTES, 'payments', 'a'),
  ]);
  expect(found.map(textsOf)).toEqual([['payments a'], ['billing a'], ['payments b'], ['payments a']]);
  expect(asked.map(([, keys]) => keys)).toEqual([[['a'], ['a', 'b']]]);
});

it('asks again in the next turn, with the same statement for the same schemas in any order', async () => {
  const { rowsByKey, asked } = tables();
  await Promise.all([rowsByKey(NOTES, 'a', '1'), rowsByKey(NOTES, 'b', '1')]);
  await Promise.all([rowsByKey(NOTES, 'b', '2'), rowsByKey(NOTES, 'a', '2')]);
  expect(asked.map(([, keys]) => keys)).toEqual([
    [['1'], ['1']],
    [['2'], ['2']],
  ]);
  expect(asked[1]?.[0]).toBe(asked[0]?.[0]);
});

it('fails all that asked in that turn, and no later one', async () => {
  const failing = [new Error('away')];
  const query = async <Row>(): Promise<Row[]> => {
    const error = failing.pop();
    if (error) throw error;
    return [];
  };
  const rowsByKey = gatheredRows({ query });
  const both = [rowsByKey(NOTES, 'a', '1'), rowsByKey(NOTES, 'b', '1')];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await rowsByKey(NOTES, 'a', '1')).toEqual([]);
});
