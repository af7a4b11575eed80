import {
  besideFollower,
  categoriesOf,
  generationTable,
  projectionFollower,
  readGenerations,
  type Generation,
  type Position,
  type Projection,
  type ReplayLog,
  type Sql,
  type StreamMode,
} from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { RELEASED } from './checkpoints';
import { copyIndexes } from './copy-table';
import type { PostgresReadModels } from './postgres-read-models';

/** A projection and the schema of its service. */
export interface OwnedProjection {
  readonly schema: string;
  readonly projection: Projection;
}

const BATCH_MAX = 10_000;
export const viewOf = ({ table }: Projection): string => table.slice(table.indexOf('.') + 1);

/** The one that is live; there is always one after the migrations. */
export function liveOf(generations: readonly Generation[]): Generation {
  const live = generations.find(({ state }) => state === 'live');
  invariant(live, 'a projection has a live generation');
  return live;
}

/** The indexes and constraints of the live generation, for one that is loaded. Again does nothing. */
export async function indexGeneration(
  readModels: PostgresReadModels,
  { schema, projection }: OwnedProjection,
  generation: number,
): Promise<void> {
  const live = liveOf(await readGenerations(readModels, schema, projection)).generation;
  const table = generationTable(projection.table, generation);
  await copyIndexes(readModels, generationTable(projection.table, live), table);
  await readModels.query(`analyze ${table}`);
}

/**
 * Puts a generation behind the view, in one transaction: the live checkpoints stand still meanwhile, what the
 * new one lacks up to them is folded, then the view turns and checkpoints change their meaning. A process
 * that followed finds its checkpoints released and looks again. Readers never see less than before.
 */
export async function promoteGeneration(
  readModels: PostgresReadModels,
  log: ReplayLog,
  { schema, projection }: OwnedProjection,
  target: number,
): Promise<void> {
  // Fences a service that follows it as a kept one.
  for (const mode of projection.modes) {
    await readModels.checkpoint(schema, besideFollower(projection.name, target, mode));
  }
  await readModels.transaction(async (tx) => {
    // Readers queue up behind a view that waits to be turned: rather try again.
    await tx.query(`set local lock_timeout = '2s'`);
    const live = liveOf(await lockGenerations(tx, schema, projection)).generation;
    if (live === target) return;
    for (const mode of projection.modes) {
      await turnCheckpoints(tx, log, { schema, projection }, { live, target, mode });
    }
    const table = generationTable(projection.table, target);
    await tx.query(`create or replace view ${projection.table} as select * from ${table}`);
    for (const [generation, state] of [[live, 'kept'], [target, 'live']]) {
      await tx.query(
        `update ${schema}.generations set state = $3, changed_at = clock_timestamp()
          where view = $1 and generation = $2`,
        [viewOf(projection), generation, state],
      );
    }
  });
}

/**
 * Drops every generation but the live one and, with `former`, the one that was live before it and the one that is
 * being built; answers which.
 */
export function dropOldGenerations(
  readModels: PostgresReadModels,
  { schema, projection }: OwnedProjection,
  { former }: { readonly former: boolean } = { former: false },
): Promise<readonly number[]> {
  return readModels.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = '5s'`);
    const all = await lockGenerations(tx, schema, projection);
    const spared = former ? [formerOf(all), all.find(({ state }) => state === 'building')] : [];
    const old = all
      .filter((one) => one.state !== 'live' && !spared.includes(one))
      .map(({ generation }) => generation);
    for (const generation of old) await dropGeneration(tx, { schema, projection }, generation);
    return old;
  });
}

/** First the table, then the checkpoint: in the order in which a follower takes its locks. */
export async function dropGeneration(
  tx: Sql,
  { schema, projection }: OwnedProjection,
  generation: number,
): Promise<void> {
  await tx.query(`drop table if exists ${generationTable(projection.table, generation)}`);
  await tx.query(`delete from ${schema}.generations where view = $1 and generation = $2`, [
    viewOf(projection),
    generation,
  ]);
  await tx.query(`delete from ${schema}.checkpoints where starts_with(follower, $1)`, [
    `${projection.name}#${generation}:`,
  ]);
}

/** The kept one that was live last. */
export const formerOf = (generations: readonly Generation[]): Generation | undefined =>
  generations
    .filter(({ state }) => state === 'kept')
    .sort((one, other) => other.changed_at.localeCompare(one.changed_at))[0];

/** One replay, swap or drop at a time. */
export async function lockGenerations(
  tx: Sql,
  schema: string,
  projection: Projection,
): Promise<readonly Generation[]> {
  await tx.query(`select 1 from ${schema}.generations where view = $1 order by generation for update`, [
    viewOf(projection),
  ]);
  return readGenerations(tx, schema, projection);
}

interface Turn {
  readonly live: number;
  readonly target: number;
  readonly mode: StreamMode;
}

async function turnCheckpoints(
  tx: Sql,
  log: ReplayLog,
  owned: OwnedProjection,
  { live, target, mode }: Turn,
): Promise<void> {
  const { schema, projection } = owned;
  const plain = projectionFollower(projection.name, mode);
  const coming = besideFollower(projection.name, target, mode);
  const going = besideFollower(projection.name, live, mode);
  const until = await lockedPosition(tx, schema, plain);
  const from = await lockedPosition(tx, schema, coming);
  const reached = await foldMissing(tx, log, owned, { generation: target, mode, from, until });
  await tx.query(`delete from ${schema}.checkpoints where follower = $1`, [coming]);
  await release(tx, schema, plain, reached);
  await release(tx, schema, going, until);
}

export interface Missing {
  readonly generation: number;
  readonly mode: StreamMode;
  /** Where its rows are. */
  readonly from: Position | null;
  /** Where they are to be; null: where they are. */
  readonly until: Position | null;
}

/** Folds what the table of a generation lacks up to a final position; answers where it is then. */
export async function foldMissing(
  tx: Sql,
  log: ReplayLog,
  { projection }: OwnedProjection,
  { generation, mode, from, until }: Missing,
): Promise<Position | null> {
  if (until === null || (from !== null && !log.isBefore(from, until))) return from;
  const table = generationTable(projection.table, generation);
  for await (const events of log.batches(categoriesOf(projection, mode), from, until, BATCH_MAX)) {
    await projection.apply(events, tx, table);
  }
  return until;
}

async function lockedPosition(tx: Sql, schema: string, follower: string): Promise<Position | null> {
  const [row] = await tx.query<{ position: Position | null }>(
    `select position from ${schema}.checkpoints where follower = $1 for update`,
    [follower],
  );
  return row?.position ?? null;
}

/** Sets a checkpoint and takes it away from its owner. */
async function release(
  tx: Sql,
  schema: string,
  follower: string,
  position: Position | null,
): Promise<void> {
  await tx.query(
    `insert into ${schema}.checkpoints as kept (follower, position, epoch, owner)
      values ($1, $2, 1, '${RELEASED}')
      on conflict (follower) do update set position = excluded.position, epoch = kept.epoch + 1,
        owner = excluded.owner, updated_at = now()`,
    [follower, position],
  );
}
