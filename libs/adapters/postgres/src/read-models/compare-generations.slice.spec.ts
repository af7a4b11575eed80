import type { ReplayLog } from '@tender/eventing';
import { compareGenerations, dropOldGenerations, holdReplay, isSame, promoteGeneration, ReplayIsTaken } from '../index';
import { noteList } from '../testing/note-stage';
import { owned, rebuildStage } from '../testing/rebuild-stage';

const { service, operator, follow, note, history, build, statesOf } = rebuildStage();

async function built(streams: number) {
  const followers = await follow();
  await history(streams);
  await followers.idle();
  const by = await operator();
  const generation = await build(by);
  const compare = (log = by.log) => compareGenerations(by.readModels, log, owned, generation);
  return { followers, by, generation, compare };
}

describe('comparing a generation with the live one', () => {
  it('finds no difference while both go on, and sees them at one place of the log', async () => {
    const { followers, by, compare } = await built(40);
    await note('note.test-later', 0, 'later');
    await followers.idle();
    let noted = 0;
    const busy: ReplayLog = {
      ...by.log,
      async *batches(...asked) {
        noted += 1;
        // After the moment at which both are looked at, before they are compared.
        await note(`note.test-meanwhile-${noted}`, 0, 'meanwhile');
        await note('note.test-6', noted, 'meanwhile');
        await followers.idle();
        yield* by.log.batches(...asked);
      },
    };
    const one = await compare(busy);
    expect(noted).toBe(1);
    expect(one).toMatchObject({ rows_live: 41, rows_other: 41, different: 0 });
    expect(isSame(one)).toBe(true);
    expect(one.positions.test?.live).toBe(one.positions.test?.other);
    const other = await compare(busy);
    expect(other).toMatchObject({ rows_live: 42, rows_other: 42, only_live: 0, only_other: 0 });
    expect(isSame(other)).toBe(true);
  });

  it('names what was changed by hand by its key and its columns, and shows no value', async () => {
    const { compare } = await built(30);
    const live = (statement: string) => service().query(statement);
    await live(`update notes.note_list_g1 set words = 7, first = 'planted' where id = '4'`);
    await live(`update notes.note_list_g1 set state = '{"words": ["planted"]}' where id = '5'`);
    await live(`delete from notes.note_list_g1 where id = '6'`);
    await live(`insert into notes.note_list_g1 (id, state, position, words) values ('surplus', '{}', '1', 1)`);
    const found = await compare();
    expect(found).toMatchObject({
      ...{ live_table: 'notes.note_list_g1', other_table: 'notes.note_list_g2' },
      ...{ rows_live: 30, rows_other: 30, only_live: 1, only_other: 1, different: 2 },
      columns: { words: 1, first: 1, state: 1 },
      first: {
        ...{ only_live: ['surplus'], only_other: ['6'] },
        different: [
          { key: '4', columns: ['words', 'first'] },
          { key: '5', columns: ['state'] },
        ],
      },
    });
    expect(isSame(found)).toBe(false);
    expect(JSON.stringify(found)).not.toContain('planted');
  });

  it('takes no order of names in JSON for a difference, and counts many without naming them', async () => {
    const { compare } = await built(60);
    await service().query(
      `update notes.note_list_g1 set state = ('{"more": 1, "words": []}')::json`,
    );
    await service().query(
      `update notes.note_list_g2 set state = ('{ "words": [], "more": 1.0 }')::json`,
    );
    expect(isSame(await compare())).toBe(true);
    await service().query('update notes.note_list_g2 set words = words + 1');
    const { different, columns, first } = await compare();
    expect([different, columns, first.different.length]).toEqual([60, { words: 60 }, 5]);
  });
});

test('one replay of a projection at a time, and the other learns whose it is', async () => {
  const [one, other] = [await operator(), await operator()];
  const release = await holdReplay(one.readModels, noteList);
  const refused = holdReplay(other.readModels, noteList, 0);
  await expect(refused).rejects.toThrow(ReplayIsTaken);
  await expect(refused).rejects.toThrow(`${noteList.name} is under way (tender replay pid ${process.pid} on`);
  const release_another = await holdReplay(other.readModels, { name: 'notes.other@1' });
  await release();
  await release_another();
  await (await holdReplay(other.readModels, noteList))();
});

test('the former and what is being built are spared, what is older is dropped', async () => {
  const { by, generation } = await built(10);
  const swap = (to: number) => promoteGeneration(by.readModels, by.log, owned, to);
  await swap(generation);
  await swap(await build(by));
  await build(by);
  expect(await dropOldGenerations(by.readModels, owned, { former: true })).toEqual([1]);
  expect(await statesOf()).toEqual(['2 kept', '3 live', '4 building']);
  await swap(2);
  expect(await dropOldGenerations(by.readModels, owned, { former: true })).toEqual([]);
});
