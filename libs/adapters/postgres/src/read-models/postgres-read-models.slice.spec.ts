import { Unavailable } from '@tender/eventing';
import { noteStage } from '../testing/note-stage';

const { startReadModels } = noteStage();

describe('read models', () => {
  it('runs a migration once, and loads nothing for it where none is due', async () => {
    await startReadModels();
    jest.doMock('typeorm', () => {
      throw new Error('it was loaded');
    });
    const again = await startReadModels().finally(() => jest.dontMock('typeorm'));
    expect(await again.query('select name from tender_migrations')).toEqual([
      { name: 'CreateNotes1763700000000' },
    ]);
  });

  it('keeps row and checkpoint in one transaction', async () => {
    const readModels = await startReadModels();
    const insert = `insert into notes.note_list values ('n1', '{}', '1', 1)`;
    await expect(
      readModels.transaction(async (tx) => {
        await tx.query(insert);
        await readModels.saveCheckpoint(tx, 'notes', 'list', '1');
        throw new Error('killed before the commit');
      }),
    ).rejects.toThrow('killed');
    expect(await readModels.query('select id from notes.note_list')).toEqual([]);
    expect(await readModels.checkpoint('notes', 'list')).toBeNull();
    expect(await readModels.waitFor('notes', 'list', '1', 1)).toBe(false);

    await readModels.transaction(async (tx) => {
      await tx.query(insert);
      await readModels.saveCheckpoint(tx, 'notes', 'list', '1');
    });
    expect(await readModels.query('select id from notes.note_list')).toEqual([{ id: 'n1' }]);
    expect(await readModels.checkpoint('notes', 'list')).toBe('1');
  });

  it('tells who waits for a transaction once others see what it wrote, and not when it is undone', async () => {
    const readModels = await startReadModels();
    const seen: Promise<unknown>[] = [];
    const count = () => void seen.push(readModels.query('select id from notes.note_list'));
    await readModels.transaction(async (tx) => {
      tx.afterCommit(count);
      await tx.query(`insert into notes.note_list values ('n1', '{}', '1', 1)`);
      expect(seen).toEqual([]);
    });
    expect(await Promise.all(seen)).toEqual([[{ id: 'n1' }]]);

    const undone = readModels.transaction(async (tx) => {
      tx.afterCommit(count);
      await tx.query('insert into notes.note_list values (null)');
    });
    await expect(undone).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['calls `afterCommit` when the answer to the commit is lost', 'perform pg_terminate_backend(pg_backend_pid())', 1],
    ['does not call `afterCommit` when Postgres refuses the commit', `raise exception 'not this one'`, 0],
  ])('%s', async (_, at_the_commit, times) => {
    const readModels = await startReadModels();
    await readModels.query(`create table notes.late (id int);
      create function notes.at_the_commit() returns trigger language plpgsql
        as $$ begin ${at_the_commit}; return null; end $$;
      create constraint trigger late after insert on notes.late deferrable initially deferred
        for each row execute function notes.at_the_commit()`);
    let told = 0;
    const written = readModels.transaction(async (tx) => {
      tx.afterCommit(() => void (told += 1));
      await tx.query('insert into notes.late values (1)');
    });
    await expect(written).rejects.toThrow();
    expect(told).toBe(times);
  });

  it('commits nothing of a transaction in which a statement has failed, whatever became of its error', async () => {
    const readModels = await startReadModels();
    let told = 0;
    const written = readModels.transaction(async (tx) => {
      tx.afterCommit(() => void (told += 1));
      await tx.query(`insert into notes.note_list values ('n1', '{}', '1', 1)`);
      await tx.query('select 1 / $1::int', [0]).catch(() => undefined);
    });
    await expect(written).rejects.toThrow('nothing was committed');
    expect(told).toBe(0);
    expect(await readModels.query('select id from notes.note_list')).toEqual([]);
  });

  it('starts four times at once on an empty database', async () => {
    const started = await Promise.all([1, 2, 3, 4].map(startReadModels));
    for (const readModels of started) {
      expect(await readModels.query('select name from tender_migrations')).toHaveLength(1);
    }
  });

  it('answers Unavailable when its connection is cut, and goes on with another', async () => {
    const readModels = await startReadModels();
    await expect(
      readModels.transaction(async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())');
      }),
    ).rejects.toThrow(Unavailable);
    expect(await readModels.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
