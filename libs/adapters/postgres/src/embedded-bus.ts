import {
  logBus,
  type Bus,
  type ConsumerRecords,
  type EventStore,
  type Log,
  type Position,
  type PublicEvent,
  type Publishing,
  type ReadModels,
  type StreamMode,
  Unavailable,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { realDelays } from './real-delays';
import { schemaOf } from './service-schema';

export interface EmbeddedBusOptions {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  /** What each context makes public. */
  readonly contexts: readonly Publishing[];
  readonly clock: Clock;
  readonly log: Log;
  /** Wait before a parked message is tried again, by its tries so far; for tests. */
  readonly retry_delay_ms?: (tries: number) => number;
}

/** The bus of the embedded run: checkpoints and parked messages lie in the schema of the consumer's context. */
export function embeddedBus(options: EmbeddedBusOptions): Bus & { close(): Promise<void> } {
  const { eventStore, contexts, clock, log, retry_delay_ms, readModels } = options;
  return logBus({
    eventStore,
    contexts,
    clock,
    log,
    delays: realDelays,
    ...(retry_delay_ms ? { retry_delay_ms } : {}),
    recordsOf: (consumer, mode) => consumerRecords(readModels, contexts, consumer, mode),
  });
}

interface ParkedRow {
  readonly position: Position;
  readonly message: PublicEvent;
  readonly tries: number;
  readonly next_try_ms: number;
}

function consumerRecords(
  readModels: ReadModels,
  contexts: readonly Publishing[],
  consumer: string,
  mode: StreamMode,
): ConsumerRecords {
  const context = consumer.slice(0, consumer.indexOf('.'));
  const schema = contexts.find(({ name }) => name === context)?.schema ?? schemaOf(context);
  const follower = `${consumer}:${mode}`;
  const parked = `${schema}.parked`;
  const heads = `select distinct on (key) key, id, position, message, tries, next_try_at
    from ${parked} where consumer = $1 and mode = $2 order by key, id`;

  return {
    transaction: (work) => readModels.transaction(work),
    checkpoint: () => readModels.checkpoint(schema, follower),
    saveCheckpoint: (tx, position) => readModels.saveCheckpoint(tx, schema, follower, position),
    release: () => readModels.release(schema, follower),
    noteProgress: (position) => readModels.noteProgress?.(schema, follower, position),

    async parkedKeys() {
      const rows = await readModels.query<{ key: string }>(
        `select distinct key from ${parked} where consumer = $1 and mode = $2`,
        [consumer, mode],
      );
      return rows.map(({ key }) => key);
    },

    async park(tx, messages, failure) {
      const rows = messages.map(({ position, message }) => {
        return { position, key: message.key, message };
      });
      await tx.query(
        `insert into ${parked} (consumer, mode, key, position, message, tries, next_try_at, error)
          select $1, $2, key, position, message, $4, to_timestamp($5::float8 / 1000), $6
          from rows from (jsonb_to_recordset($3::jsonb) as (key text, position text, message jsonb))
            with ordinality as late (key, position, message, place)
          order by place
          on conflict (consumer, mode, position) do nothing`,
        [
          ...[consumer, mode, JSON.stringify(rows)],
          ...(failure ? [failure.tries, failure.next_try_ms, failure.error] : [0, 0, null]),
        ],
      );
    },

    async dueParked(wall_ms, limit) {
      const rows = await readModels.query<ParkedRow>(
        `select position, message, tries, extract(epoch from next_try_at)::float8 * 1000 as next_try_ms
          from (${heads}) as oldest
          where next_try_at <= to_timestamp($3::float8 / 1000) order by id limit $4`,
        [consumer, mode, wall_ms, limit],
      );
      return rows;
    },

    async nextTry() {
      const [row] = await readModels.query<{ next_try_ms: number | null }>(
        `select extract(epoch from min(next_try_at))::float8 * 1000 as next_try_ms
          from (${heads}) as oldest`,
        [consumer, mode],
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
