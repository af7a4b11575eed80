import {
  followProjections,
  loadGeneration,
  projectionFollower,
  readGenerations,
  Unavailable,
  type Position,
  type StreamMode,
  type StreamName,
} from '@tender/eventing';
import {
  beginGeneration,
  indexGeneration,
  postgresReplayLog,
  type PostgresEventStore,
  type PostgresReadModels,
} from '../index';
import { noteList, noteStage, noteWord } from './note-stage';
import { silentLog } from './quiet-ports';

export const owned = { schema: 'notes', projection: noteList };
export const PROGRAM = 'a1';

/** A service that lists notes, and operators who rebuild its list. */
export function rebuildStage() {
  const stage = noteStage();
  let store: PostgresEventStore;
  let service: PostgresReadModels;
  beforeEach(async () => {
    store = await stage.startStore();
    service = await stage.startReadModels();
  });

  return {
    store: () => store,
    service: () => service,
    endStore: () => stage.close(store),
    operator,
    note,
    savedAt,
    async follow() {
      const options = { eventStore: store, readModels: service, schema: 'notes', log: silentLog };
      const followers = followProjections({ ...options, projections: [noteList] });
      await followers.start();
      stage.closing({ close: () => followers.stop() });
      return followers;
    },
    /** Two thirds of the streams are written again. */
    async history(streams: number): Promise<void> {
      for (let index = 0; index < streams; index += 1) {
        await note(`note.${index % 2 ? 'live' : 'test'}-${index}`, 0, `w${index}`);
      }
      for (let index = 0; index < streams; index += 1) {
        if (index % 3) await note(`note.${index % 2 ? 'live' : 'test'}-${index}`, 1, 'again');
      }
    },
    async build(by: Awaited<ReturnType<typeof operator>>, chunk_max = 50): Promise<number> {
      const { generation } = await beginGeneration(by.readModels, owned, PROGRAM);
      for (const mode of noteList.modes) {
        const until = await savedAt(mode)(by.readModels);
        const options = { generation, mode, until, chunk_max, batch_max: 20 };
        await loadGeneration({ ...by, ...owned, ...options });
      }
      await indexGeneration(by.readModels, owned, generation);
      return generation;
    },
    rowsOf: (table: string) => service.query(`select * from ${table} order by id`),
    statesOf: async () =>
      (await readGenerations(service, 'notes', noteList)).map(
        ({ generation, state }) => `${generation} ${state}`,
      ),
  };

  function note(stream: StreamName, revision: number, word: string): Promise<Position> {
    return noteWord(store, stream, revision, word);
  }

  /** What an operator holds: connections of his own, and a log to read. */
  async function operator() {
    const readModels = await stage.startReadModels();
    const log = stage.closing(
      postgresReplayLog({ connectionString: stage.url(), log: silentLog }),
    );
    return { readModels, log };
  }
}

const savedAt = (mode: StreamMode) => (sql: PostgresReadModels) =>
  sql
    .query<{ position: Position | null }>(
      'select position from notes.checkpoints where follower = $1',
      [projectionFollower(noteList.name, mode)],
    )
    .then(([row]) => row?.position ?? null);

/** As an operator does when others have held the tables for too long: tries again. */
export async function untilFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
