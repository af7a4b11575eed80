import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Unavailable, type Category, type StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { postgresReadModels, sharedPostgresEventStore } from '../index';
import { patient, silentLog, systemClock } from './quiet-ports';

/** What a process of the shared log's tests has to do. */
export type LogTask =
  | { readonly role: 'write'; readonly url: string; readonly name: string; readonly turns: number }
  | { readonly role: 'follow'; readonly url: string; readonly name: string };

export class CreateSeen1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table witness.seen (place bigint generated always as identity, follower text not null,
        position bigint not null, id text not null)`,
    );
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table witness.seen');
  }
}

const WRITERS = 16;
const CATEGORIES: readonly Category[] = ['note.test', 'note.live'];

if (require.main === module) void main(JSON.parse(process.argv[2] as string) as LogTask);

async function main(task: LogTask): Promise<void> {
  process.on('disconnect', () => process.exit());
  process.on('message', () => process.exit());
  const store = sharedPostgresEventStore({
    ...{ connectionString: task.url, clock: systemClock, log: silentLog, recent_max: 64 },
    ...patient,
  });
  await store.start();
  if (task.role === 'follow') return follow();
  process.send?.(await write(task.name, task.turns));
  // It stays until the test ends it: its end must not be what lets the others see everything.

  /** Every other append goes to a stream that all writers of all processes fight for. */
  async function write(name: string, turns: number): Promise<string[]> {
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const ids: string[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const category = CATEGORIES[turn % 2] as Category;
        const own = turn % 4 < 2;
        const stream: StreamName = `${category}-${own ? `${name}-${writer}` : `fought-${writer}`}`;
        for (;;) {
          const events = [sampleEvent(stream), sampleEvent(stream)].slice(turn % 3 === 0 ? 0 : 1);
          const last = (await answered(() => store.load(stream))).at(-1);
          const expected = last ? last.revision : 'no_stream';
          const appended = await answered(() => store.append(stream, events, expected));
          if (!appended.ok) continue;
          ids.push(...events.map(({ metadata }) => metadata.id));
          break;
        }
      }
      return ids;
    });
    return (await Promise.all(writers)).flat();
  }

  /** As a client does: the same again while a busy database is late. */
  async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
      }
    }
  }

  async function follow(): Promise<void> {
    const readModels = postgresReadModels({
      ...{ connectionString: task.url, schemas: ['witness'], migrations: [CreateSeen1763700000000] },
      ...{ log: silentLog, pool_max: 3 },
    });
    await readModels.start();
    const from = await readModels.checkpoint('witness', task.name);
    store.follow({
      ...{ name: task.name, categories: CATEGORIES, from, batch_max: 20 },
      async onEvents(events) {
        await readModels.transaction(async (tx) => {
          for (const { position, metadata } of events) {
            await tx.query(
              'insert into witness.seen (follower, position, id) values ($1, $2, $3)',
              [task.name, position, metadata.id],
            );
          }
          const { position } = events.at(-1) as { position: string };
          await readModels.saveCheckpoint(tx, 'witness', task.name, position);
        });
        process.send?.(events.length);
      },
    });
  }
}
