import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foldedView, type Position, type StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import {
  postgresEventStore,
  postgresReadModels,
  type PostgresEventStore,
  type PostgresReadModels,
} from '../index';
import { patient, silentLog, systemClock } from './quiet-ports';
import { startTestPostgres, type TestPostgres } from './test-postgres';

export class CreateNotes1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table notes.note_list_g1 (id text collate "C" primary key, state json not null,
        position text not null, words int not null, first text, constraint first_once unique (id, first),
        constraint has_words check (words > 0)) with (fillfactor = 80)`,
    );
    await runner.query(
      `create index notes_by_words on notes.note_list_g1 (words desc, id) where words > 1`,
    );
    await runner.query('create view notes.note_list as select * from notes.note_list_g1');
    await runner.query(`insert into notes.generations values ('note_list', 1, 'live')`);
  }
  async down(): Promise<void> {
    return;
  }
}

export const noteList = foldedView<
  { words: string[] },
  { type: 'Noted'; data: { note: string } }
>({
  ...{ name: 'notes.note-list@1', noun: 'note', modes: ['test', 'live'] as const },
  table: 'notes.note_list',
  decider: {
    initial: { words: [] },
    evolve: (state, event) => ({ words: [...state.words, event.data.note] }),
  },
  columns: {
    words: ['int', ({ words }) => words.length],
    first: ['text', ({ words }) => words[0] ?? null],
  },
});

interface Closable {
  close(): Promise<void>;
}

/** A database of its own for each test of a file; what a test opens on it is closed after the test. */
export function noteStage() {
  let server: TestPostgres;
  let url: string;
  const open: Closable[] = [];
  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    url = await server.database();
  });
  afterEach(async () => {
    for (const part of open.splice(0).reverse()) await part.close();
  });

  return {
    url: () => url,
    closing,
    /** Closes it before the test is over. */
    async close(part: Closable): Promise<void> {
      open.splice(open.indexOf(part), 1);
      await part.close();
    },
    async startReadModels(): Promise<PostgresReadModels> {
      const readModels = closing(
        postgresReadModels({
          ...{ connectionString: url, schemas: ['notes'], migrations: [CreateNotes1763700000000] },
          ...{ log: silentLog, pool_max: 4 },
        }),
      );
      await readModels.start();
      return readModels;
    },
    async startStore(): Promise<PostgresEventStore> {
      const ports = { clock: systemClock, log: silentLog, ...patient };
      const store = closing(postgresEventStore({ connectionString: url, ...ports }));
      await store.start();
      return store;
    },
  };

  function closing<Part extends Closable>(part: Part): Part {
    open.push(part);
    return part;
  }
}

/** Appends one word; answers its position. */
export async function noteWord(
  store: PostgresEventStore,
  stream: StreamName,
  revision: number,
  note: string,
): Promise<Position> {
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  const appended = await store.append(stream, [sampleEvent(stream, { note })], expected);
  if (!appended.ok) throw new Error(`${stream} is elsewhere`);
  return appended.position;
}
