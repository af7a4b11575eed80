import {
  Unavailable,
  type ConsumerRecords,
  type Position,
  type PublicEvent,
  type Publishing,
  type ReadModels,
  type RowsByKey,
  type StreamMode,
} from '@tender/eventing';
import { schemaOf } from '../read-models/service-schema';

interface ParkedRow {
  readonly position: Position;
  readonly message: PublicEvent;
  readonly tries: number;
  readonly next_try_ms: number;
}

interface ParkedKey {
  readonly parked_key: string;
}

/** By consumer, mode and lane, none of which holds a space. */
const PARKED_KEYS: RowsByKey<ParkedKey> = {
  select: (schema, parameter) => {
    const lane_key = `consumer || ' ' || mode || ' ' || lane`;
    const asked = `select split_part(asked, ' ', 1) from unnest($${parameter}::text[]) as asked`;
    return `select distinct ${lane_key} as key, key as parked_key from ${schema}.parked
      where consumer in (${asked}) and ${lane_key} = any($${parameter}::text[])`;
  },
};

/**
 * Checkpoints and parked messages of consumers, in the schema of each consumer's context. Each lane has a
 * checkpoint of its own and drains only what it has parked itself; without lanes there is one, ''.
 */
export const consumerRecords =
  (readModels: ReadModels, contexts: readonly Publishing[]) =>
  (consumer: string, mode: StreamMode, lane = ''): ConsumerRecords =>
    recordsOf(readModels, contexts, { consumer, mode, lane });

interface Owner {
  readonly consumer: string;
  readonly mode: StreamMode;
  readonly lane: string;
}

function recordsOf(
  readModels: ReadModels,
  contexts: readonly Publishing[],
  { consumer, mode, lane }: Owner,
): ConsumerRecords {
  const context = consumer.slice(0, consumer.indexOf('.'));
  const schema = contexts.find(({ name }) => name === context)?.schema ?? schemaOf(context);
  const follower = lane === '' ? `${consumer}:${mode}` : `${consumer}:${mode}:${lane}`;
  const mine = [consumer, mode, lane];
  const parked = `${schema}.parked`;
  const heads = `select distinct on (key) key, id, position, message, tries, next_try_at
    from ${parked} where consumer = $1 and mode = $2 and lane = $3 order by key, id`;

  return {
    transaction: (work) => readModels.transaction(work),
    checkpoint: () => readModels.checkpoint(schema, follower),
    release: () => readModels.release(schema, follower),
    saveCheckpoint: (tx, position, from) =>
      readModels.saveCheckpoint(tx, schema, follower, position, from),
    noteProgress: (position) => readModels.noteProgress?.(schema, follower, position),

    async parkedKeys() {
      const rows = await readModels.rowsByKey(PARKED_KEYS, schema, mine.join(' '));
      return rows.map(({ parked_key }) => parked_key);
    },

    async park(tx, messages, failure) {
      const rows = messages.map(({ position, message }) => {
        return { position, key: message.key, message };
      });
      await tx.query(
        `insert into ${parked} (consumer, mode, lane, key, position, message, tries, next_try_at, error)
          select $1, $2, $3, key, position, message, $5, to_timestamp($6::float8 / 1000), $7
          from rows from (jsonb_to_recordset($4::jsonb) as (key text, position text, message jsonb))
            with ordinality as late (key, position, message, place)
          order by place
          on conflict (consumer, mode, position) do nothing`,
        [
          ...[...mine, JSON.stringify(rows)],
          ...(failure ? [failure.tries, failure.next_try_ms, failure.error] : [0, 0, null]),
        ],
      );
    },

    async dueParked(wall_ms, limit) {
      const rows = await readModels.query<ParkedRow>(
        `select position, message, tries, extract(epoch from next_try_at)::float8 * 1000 as next_try_ms
          from (${heads}) as oldest
          where next_try_at <= to_timestamp($4::float8 / 1000) order by id limit $5`,
        [...mine, wall_ms, limit],
      );
      return rows;
    },

    async nextTry() {
      const [row] = await readModels.query<{ next_try_ms: number | null }>(
        `select extract(epoch from min(next_try_at))::float8 * 1000 as next_try_ms
          from (${heads}) as oldest`,
        mine,
      );
      return row?.next_try_ms ?? null;
    },

    async unpark(tx, { position }) {
      const gone = await tx.query(
        `delete from ${parked} where consumer = $1 and mode = $2 and position = $3 returning 1`,
        [consumer, mode, position],
      );
      if (gone.length === 0) throw new Unavailable(follower, { reason: 'handled by another process' });
    },

    async failedAgain({ position }, { tries, next_try_ms, error }) {
      await readModels.query(
        `update ${parked} set tries = $4, next_try_at = to_timestamp($5::float8 / 1000), error = $6
          where consumer = $1 and mode = $2 and position = $3`,
        [consumer, mode, position, tries, next_try_ms, error],
      );
    },
  };
}
