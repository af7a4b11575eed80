import type { StoredEvent, StreamName } from '../events/event';
import { foldedView } from './folded-view';
import type { Sql } from '../ports/read-models';
import { sampleEvent } from '../testing';

type Noted = { type: 'Noted'; data: { units: string } };
type Purse = { units: string; count: number };

const purse = foldedView<Purse, Noted>({
  ...{ name: 'purses.purse-list@1', noun: 'purse', modes: ['test'] as const },
  table: 'purses.purse_list',
  decider: {
    initial: { units: '0', count: 0 },
    evolve: ({ units, count }, { data }) => ({
      ...{ units: String(BigInt(units) + BigInt(data.units)), count: count + 1 },
    }),
  },
  columns: { count: ['int', ({ count }) => count], mode: ['text', (_, mode) => mode] },
});

const event = (stream: StreamName, revision: number, units: number): StoredEvent => ({
  ...sampleEvent(stream, { units: String(units) }, { id: `${stream}/${revision}` }),
  ...{ stream, revision, position: String(100 + revision) },
});

/** Knows some rows; remembers what it was asked. */
function scripted(known: readonly { id: string; state: unknown }[]) {
  const asked: { text: string; values: readonly unknown[] }[] = [];
  const tx: Sql = {
    query: <Row>(text: string, values: readonly unknown[] = []) => {
      asked.push({ text, values });
      const rows = text.startsWith('select') ? known : [];
      return Promise.resolve(rows as Row[]);
    },
  };
  return { tx, asked };
}

/** The rows of a statement that was given one array per column. */
function rowsOf(asked: { text: string; values: readonly unknown[] } | undefined): unknown {
  const names = /fresh \((.*)\)/.exec(asked?.text ?? '')?.[1]?.split(', ') ?? [];
  const columns = (asked?.values ?? []) as unknown[][];
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(
      names.map((name, column) => {
        const value = columns[column]?.[row];
        return [name, name === 'state' ? (JSON.parse(value as string) as unknown) : value];
      }),
    ),
  );
}

describe('foldedView', () => {
  it('folds a batch into one row per stream and one statement', async () => {
    const { tx, asked } = scripted([]);
    await purse.apply(
      [event('purse.test-a', 0, 5), event('purse.test-b', 0, 1), event('purse.test-a', 1, 7)],
      tx,
      'purses.purse_list_g2',
    );
    expect(asked).toHaveLength(1);
    expect(rowsOf(asked[0])).toEqual([
      {
        ...{ id: 'a', position: '101', count: 2, mode: 'test' },
        state: { units: '12', count: 2 },
      },
      {
        ...{ id: 'b', position: '100', count: 1, mode: 'test' },
        state: { units: '1', count: 1 },
      },
    ]);
    expect(asked[0]?.text).toContain('purses.purse_list_g2 (id, state, position, count, mode)');
    expect(asked[0]?.text).toContain('on conflict (id) do update set state = excluded.state');
  });

  it('goes on from the rows of streams that began earlier, and reads no others', async () => {
    const { tx, asked } = scripted([{ id: 'a', state: { units: '40', count: 3 } }]);
    await purse.apply([event('purse.test-a', 3, 2), event('purse.test-b', 0, 1)], tx, purse.table);
    expect(asked[0]?.values).toEqual([['a']]);
    expect(rowsOf(asked[1])).toMatchObject([
      { id: 'a', state: { units: '42', count: 4 } },
      { id: 'b', state: { units: '1', count: 1 } },
    ]);
  });

  it('keeps what several batches fold to in memory, and writes each row once', async () => {
    const { tx, asked } = scripted([{ id: 'a', state: { units: '40', count: 3 } }]);
    const fold = purse.fold?.(tx, 'purses.purse_list_g2');
    await fold?.add([event('purse.test-a', 3, 2), event('purse.test-b', 0, 1)]);
    await fold?.add([event('purse.test-b', 1, 6), event('purse.test-a', 4, 1)]);
    expect(asked).toHaveLength(1);
    await fold?.write();
    expect(asked).toHaveLength(2);
    expect(rowsOf(asked[1])).toMatchObject([
      { id: 'a', position: '104', mode: 'test', state: { units: '43', count: 5 } },
      { id: 'b', position: '101', mode: 'test', state: { units: '7', count: 2 } },
    ]);
  });
});
