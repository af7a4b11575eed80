import { randomUUID } from 'node:crypto';
import type { Position, RowsByKey, Sql } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { CheckpointMoved, TakenOver } from './checkpoint-faults';
import type { FollowerProgress } from './follower-progress';
import { GatheredRows } from './gathered-rows';
import { plainName } from './service-schema';
import { Transaction } from './transaction';

/** The owner of a checkpoint that a swap of generations has set: any process may take it. */
export const RELEASED = '';

/** A follower that this process has taken over. */
interface Followed {
  readonly epoch: string;
  /** Another process has taken it over since. */
  lost: boolean;
}

interface Taken {
  readonly position: Position | null;
  readonly epoch: string;
}

interface Kept extends Taken {
  readonly owner: string;
}

/** `payments.relay.payments:test`: the schema, then the follower. */
export const nameOf = (schema: string, follower: string): string => `${schema}.${follower}`;

const KEPT: RowsByKey<Kept> = {
  select: (schema, parameter) =>
    `select follower as key, position, epoch, owner
      from ${schema}.checkpoints where follower = any($${parameter})`,
};

/** How far each follower is, in the tables. An epoch tells the process that follows now from those before it. */
export class Checkpoints {
  private readonly owner = `${process.pid}:${randomUUID()}`;
  private readonly followed = new Map<string, Followed>();
  private readonly kept: GatheredRows<Kept>;

  constructor(
    private readonly tables: Sql,
    private readonly progress: FollowerProgress,
  ) {
    this.kept = new GatheredRows(tables, KEPT);
  }

  /** Where the follower is; takes it over unless this process has it, or has lost it to another one. */
  async begin(schema: string, follower: string): Promise<Position | null> {
    const name = nameOf(schema, follower);
    const mine = this.followed.get(name);
    if (mine) {
      const row = await this.read(schema, follower);
      // Also when it is lost: to take it back now would be to fight with the heir. What a swap released has
      // none, and epochs only rise: an older one is from before the take-over.
      const older = !row || BigInt(row.epoch) < BigInt(mine.epoch);
      if (!older && row.owner !== RELEASED) return this.progress.reset(name, row.position);
    }
    const { position, epoch } = await this.takeOver(this.tables, schema, follower);
    this.followed.set(name, { epoch, lost: false });
    return this.progress.reset(name, position);
  }

  async read(schema: string, follower: string): Promise<Kept | null> {
    const [row] = await this.kept.of(schema, follower);
    return row ?? null;
  }

  /** True until another process is known to have taken the follower over. */
  holds(name: string): boolean {
    return this.followed.get(name)?.lost === false;
  }

  async save(
    tx: Sql,
    schema: string,
    follower: string,
    position: Position,
    from?: Position | null,
  ): Promise<void> {
    const name = nameOf(schema, follower);
    invariant(tx instanceof Transaction, 'a checkpoint moves in a transaction of these read models');
    const known = this.followed.get(name)?.epoch ?? tx.epochs.get(name);
    const epoch = known ?? (await this.takeOver(tx, schema, follower)).epoch;
    await tx.runLast({
      text: `update ${plainName(schema)}.checkpoints set position = $4, updated_at = now()
        where follower = $1 and epoch = $2 and owner = $3 and ($5 or position is not distinct from $6) returning 1`,
      values: [follower, epoch, this.owner, position, from === undefined, from ?? null],
      // Taken over just now, it is this process's: what becomes of that with the transaction does not matter.
      whyNone: (sql) =>
        known === undefined
          ? Promise.resolve(new CheckpointMoved(name))
          : this.whyNotMoved(sql, schema, follower, epoch),
    });
    tx.epochs.set(name, epoch);
    tx.checkpoints.set(name, position);
  }

  /** What a transaction has taken over and moved is this process's from now on. */
  committed({ epochs, checkpoints }: Transaction): void {
    for (const [follower, epoch] of epochs) {
      if (this.followed.get(follower)?.epoch !== epoch) {
        this.followed.set(follower, { epoch, lost: false });
      }
    }
    for (const [follower, position] of checkpoints) this.progress.note(follower, position);
  }

  release(schema: string, follower: string): void {
    const name = nameOf(schema, follower);
    this.followed.delete(name);
    this.progress.giveUp(name);
  }

  private async takeOver(sql: Sql, schema: string, follower: string): Promise<Taken> {
    const [taken] = await sql.query<Taken>(
      `insert into ${plainName(schema)}.checkpoints as kept (follower, epoch, owner)
        values ($1, 1, $2)
        on conflict (follower) do update set epoch = kept.epoch + 1, owner = excluded.owner
        returning position, epoch`,
      [follower, this.owner],
    );
    return taken as Taken;
  }

  private async whyNotMoved(
    sql: Sql,
    schema: string,
    follower: string,
    epoch: string,
  ): Promise<Error> {
    const name = nameOf(schema, follower);
    const [kept] = await sql.query<Pick<Kept, 'epoch' | 'owner'>>(
      `select epoch, owner from ${plainName(schema)}.checkpoints where follower = $1`,
      [follower],
    );
    if (kept?.epoch === epoch && kept.owner === this.owner) return new CheckpointMoved(name);
    const mine = this.followed.get(name);
    if (mine) mine.lost = true;
    this.progress.giveUp(name);
    // A row that is gone has no owner either.
    return new TakenOver(name, (kept?.owner ?? RELEASED) === RELEASED);
  }
}
