import type { BatchHandler, Bus, Consumer, EventStore, Sql, StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';

const READER = 'readers.count-notes';
const NOTED = 'notes.noted.v1';

/** Without a unique key: what is done twice is there twice. */
export const EFFECTS = `create table if not exists readers.effects
  (id bigint generated always as identity, event text, key text, sequence int, reader text)`;

interface CountingOptions {
  readonly consumer?: string;
  readonly reader?: string;
  readonly meanwhile?: BatchHandler;
}

/** A consumer whose effect is a row per message, in the transaction of its checkpoint. */
export function countNotes(
  bus: Bus,
  { consumer = READER, reader = 'a', meanwhile }: CountingOptions = {},
): Promise<Consumer> {
  return bus.consume({
    consumer,
    types: [NOTED],
    async handler(batch, tx) {
      await tx.query(
        `insert into readers.effects (event, key, sequence, reader)
          select *, $4 from unnest($1::text[], $2::text[], $3::int[])`,
        [
          batch.map(({ id }) => id),
          batch.map(({ key }) => key),
          batch.map(({ sequence }) => sequence),
          reader,
        ],
      );
      await meanwhile?.(batch, tx);
    },
  });
}

/** Sequences by key, in the order in which they took effect. */
export async function effectsOf(sql: Sql, reader?: string): Promise<Record<string, number[]>> {
  const rows = await sql.query<{ key: string; sequence: number }>(
    `select key, sequence from readers.effects where $1::text is null or reader = $1 order by id`,
    [reader ?? null],
  );
  const found: Record<string, number[]> = {};
  for (const { key, sequence } of rows) (found[key] ??= []).push(sequence);
  return found;
}

/** Appends `count` events to each of the streams, one by one. */
export async function appendNotes(
  store: EventStore,
  streams: readonly StreamName[],
  count: number,
  first = 0,
): Promise<void> {
  for (let revision = first; revision < first + count; revision += 1) {
    for (const stream of streams) {
      const expected = revision === 0 ? 'no_stream' : revision - 1;
      const appended = await store.append(stream, [sampleEvent(stream, { revision })], expected);
      if (!appended.ok) throw new Error(`${stream} is at ${appended.actual}`);
    }
  }
}

/** Each of the streams once, in order. */
export const exactly = (
  streams: readonly StreamName[],
  count: number,
): Record<string, number[]> =>
  Object.fromEntries(streams.map((stream) => [stream, Array.from({ length: count }, (_, n) => n)]));

/** Enough of them to be in every partition. */
export const STREAMS = Array.from({ length: 8 }, (_, n): StreamName => `note.test-${n}`);
