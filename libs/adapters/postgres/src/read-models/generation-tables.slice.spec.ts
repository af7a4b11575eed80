import { loadGeneration, projectionFollower } from '@tender/eventing';
import { beginGeneration, dropOldGenerations, promoteGeneration, TakenOver } from '../index';
import { noteList } from '../testing/note-stage';
import { owned, PROGRAM, rebuildStage, untilFree } from '../testing/rebuild-stage';

const { service, endStore, operator, follow, note, history, build, savedAt, rowsOf, statesOf } =
  rebuildStage();

describe('a rebuilt generation', () => {
  it('has the rows, constraints, indexes and settings of the live one', async () => {
    const followers = await follow();
    await history(120);
    await followers.idle();
    const generation = await build(await operator());
    expect(generation).toBe(2);
    const rebuilt = await rowsOf('notes.note_list_g2');
    expect(rebuilt).toHaveLength(120);
    expect(rebuilt).toEqual(await rowsOf('notes.note_list_g1'));

    const shape = async (table: string) => ({
      indexes: await service().query(
        `select replace(indexdef, '_g2', '_g1') as def from pg_indexes where tablename = $1
          order by replace(indexname, '_g2', '')`,
        [table],
      ),
      constraints: await service().query(
        `select contype, pg_get_constraintdef(oid) as def from pg_constraint
          where conrelid = $1::regclass order by 1, 2`,
        [`notes.${table}`],
      ),
      settings: await service().query('select reloptions from pg_class where relname = $1', [table]),
    });
    const second = await shape('note_list_g2');
    const first = await shape('note_list_g1');
    expect(second.constraints).toEqual(first.constraints);
    expect(second.settings).toEqual(first.settings);
    const unnamed = (defs: { def?: string }[]) =>
      defs.map(({ def }) => def?.replace(/INDEX \S+/, ''));
    expect(unnamed(second.indexes)).toEqual(unnamed(first.indexes));
    expect(second.indexes).toHaveLength(3);
  });

  it('goes on where it was cut short', async () => {
    const followers = await follow();
    await history(100);
    await followers.idle();
    const first = await operator();
    const { generation } = await beginGeneration(first.readModels, owned, PROGRAM);
    const abort = new AbortController();
    const until = await savedAt('test')(service());
    const counted: number[] = [];
    const options = { ...owned, generation, mode: 'test', until, chunk_max: 20, batch_max: 10 } as const;
    const whole = await loadGeneration({
      ...first,
      ...options,
      signal: abort.signal,
      onLoaded(events) {
        counted.push(events);
        abort.abort();
      },
    });
    expect([whole, counted]).toEqual([false, [20]]);
    expect(await rowsOf('notes.note_list_g2')).toHaveLength(20);

    const second = await operator();
    expect(await beginGeneration(second.readModels, owned, PROGRAM)).toEqual({
      ...{ generation, begun_at: expect.stringMatching(/^\d{4}-/), replaced: null },
    });
    const onLoaded = (events: number) => void counted.push(events);
    await loadGeneration({ ...second, ...options, onLoaded });
    const total = await first.log.count(['note.test'], null, until);
    expect(counted.reduce((sum, events) => sum + events)).toBe(total);
    // The one that was taken over from cannot write any more.
    const late = { ...first, ...options, until: String(Number(until) + 1) };
    await expect(loadGeneration(late)).rejects.toThrow(TakenOver);
  });

  it('is begun anew where another program began it, loaded or not', async () => {
    const followers = await follow();
    await history(30);
    await followers.idle();
    const by = await operator();
    expect(await build(by)).toBe(2);
    expect(await beginGeneration(by.readModels, owned, 'b2')).toEqual({
      ...{ generation: 3, begun_at: null, replaced: 2 },
    });
    expect(await statesOf()).toEqual(['1 live', '3 building']);
    expect(await rowsOf('notes.note_list_g3')).toEqual([]);
    const left = `select to_regclass('notes.note_list_g2') as table,
      (select count(*)::int from notes.checkpoints where follower like '%#%') as checkpoints`;
    expect(await service().query(left)).toEqual([{ table: null, checkpoints: 0 }]);
    // As a release has left it that did not say who it was.
    await service().query('comment on table notes.note_list_g3 is null');
    expect(await beginGeneration(by.readModels, owned, 'b2')).toMatchObject({ replaced: 3 });
  });

  it('takes the place of the live one and gives it back while others write and read', async () => {
    const followers = await follow();
    await history(60);
    const by = await operator();
    let done = false;
    let written = 0;
    const reads: number[] = [];
    const misses: string[] = [];
    const more = async () => {
      for (const until = written + 5; written < until; ) await new Promise(setImmediate);
    };
    const writer = (async () => {
      for (; !done; written += 1) {
        const id = `late-${written}`;
        const position = await note(`note.test-${id}`, 0, 'late');
        const follower = projectionFollower(noteList.name, 'test');
        const seen = await service().waitFor('notes', follower, position, 300_000);
        const found = await service().query('select 1 from notes.note_list where id = $1', [id]);
        if (!seen || found.length === 0) misses.push(`${id} ${seen}`);
      }
    })();
    const reader = (async () => {
      while (!done) {
        const [row] = await service().query<{ count: number }>(
          'select count(*)::int as count from notes.note_list',
        );
        reads.push(row?.count ?? 0);
      }
    })();

    const generation = await build(by);
    await untilFree(() => promoteGeneration(by.readModels, by.log, owned, generation));
    expect(await statesOf()).toEqual(['1 kept', '2 live']);
    await more();
    const again = await operator();
    await untilFree(() => promoteGeneration(again.readModels, again.log, owned, 1));
    expect(await statesOf()).toEqual(['1 live', '2 kept']);
    await untilFree(() => promoteGeneration(by.readModels, by.log, owned, generation));
    await more();
    expect(await untilFree(() => dropOldGenerations(by.readModels, owned))).toEqual([1]);
    await more();
    done = true;
    await Promise.all([writer, reader]);
    await followers.idle();

    expect(misses).toEqual([]);
    expect(reads).toEqual([...reads].sort((one, other) => one - other));
    expect(await rowsOf('notes.note_list')).toHaveLength(60 + written);
    expect(await statesOf()).toEqual(['2 live']);
  });

  it('is kept up to date until it is dropped', async () => {
    const followers = await follow();
    await history(30);
    await followers.idle();
    const by = await operator();
    await promoteGeneration(by.readModels, by.log, owned, await build(by));
    await note('note.test-after', 0, 'after');
    await note('note.live-after-too', 0, 'after');
    await followers.idle();
    const kept = await rowsOf('notes.note_list_g1');
    expect(kept).toHaveLength(32);
    expect(kept).toEqual(await rowsOf('notes.note_list_g2'));
  });

  it('hears what it lacks before it is live again, when no process has followed it', async () => {
    const followers = await follow();
    await history(30);
    await followers.idle();
    const by = await operator();
    const generation = await build(by);
    await promoteGeneration(by.readModels, by.log, owned, generation);
    await note('note.test-after', 0, 'after');
    await followers.idle();
    // Another process takes the kept one's checkpoint: the service leaves it behind, and goes on.
    await by.readModels.checkpoint('notes', 'notes.note-list@1#1:test');
    await note('note.test-later', 0, 'later');
    await followers.idle();
    await note('note.test-last', 0, 'last');
    await followers.idle();
    expect(await rowsOf('notes.note_list')).toHaveLength(33);
    expect(await rowsOf('notes.note_list_g1')).toHaveLength(31);
    const back = await operator();
    await promoteGeneration(back.readModels, back.log, owned, 1);
    expect(await rowsOf('notes.note_list')).toHaveLength(33);
    expect(await rowsOf('notes.note_list')).toEqual(await rowsOf('notes.note_list_g2'));
  });

  it('starts from an empty database, whose live table never heard anything', async () => {
    await history(30);
    await endStore();
    const by = await operator();
    await promoteGeneration(by.readModels, by.log, owned, await build(by));
    expect(await rowsOf('notes.note_list')).toHaveLength(30);
  });
});
