import { invariant } from '@tender/kernel';
import type { Position, StoredEvent, StreamMode } from '../events/event';
import { generationFollower, generationTable, lookAtGenerations, type Generation } from './generations';
import type { Projection } from './projection';
import type { EventStore } from '../ports/event-store';
import type { Log } from '../ports/log';
import type { ReadModels, Sql } from '../ports/read-models';
import { SetBack } from '../following/returning-follower';

export interface FollowedGenerationsOptions {
  readonly eventStore: Pick<EventStore, 'isBefore'>;
  readonly readModels: ReadModels;
  readonly schema: string;
  readonly log: Log;
}

interface Followed {
  readonly generation: Generation;
  readonly follower: string;
  readonly table: string;
  saved: Position | null;
}

/**
 * The generations of one projection and mode that events go to: the live one, and those kept for a roll back.
 * A swap, a roll back and a drop take checkpoints away from the process that holds them: the next batch fails, and what
 * fails looks again at what there is.
 */
export class FollowedGenerations {
  private followed: Followed[] = [];
  /** Everything up to here was handed over, now or before, and is in the live generation. */
  private handled: Position | null = null;
  /** A transaction failed or ended in the dark: only the database knows what holds. */
  private unsure = false;

  constructor(
    private readonly options: FollowedGenerationsOptions,
    private readonly projection: Projection,
    private readonly mode: StreamMode,
  ) {}

  get live(): Followed {
    return this.liveOf(this.followed);
  }

  /** Where to go on from, so that every generation hears what it lacks, whatever was handed over before. */
  async open(): Promise<Position | null> {
    const { isBefore } = this.options.eventStore;
    this.handled = null;
    await this.look();
    const from = this.followed
      .map(({ saved }) => saved)
      .reduce((least, saved) => (!least || !saved ? null : isBefore(saved, least) ? saved : least));
    // The tables may be set back before the first event comes.
    this.handled = from;
    return from;
  }

  /**
   * Takes the checkpoints first and looks at the generations again after: a swap that comes later takes the
   * checkpoints away again, so nothing is written for a state of things that is over. Throws `SetBack` when
   * the live one lacks what was handed over.
   */
  async look(): Promise<void> {
    this.unsure = true;
    let before: readonly Generation[];
    let taken: Followed[];
    let now = await this.read();
    do {
      before = now;
      taken = [];
      for (const generation of before) taken.push(await this.takeUp(generation));
      now = await this.read();
    } while (JSON.stringify(now) !== JSON.stringify(before));
    const { handled } = this;
    const live = this.liveOf(taken);
    if (handled !== null && this.lacksEvents(live)) {
      throw new SetBack(live.follower, handled, live.saved);
    }
    this.followed = taken.filter((one) => !this.lacksEvents(one));
    this.unsure = false;
  }

  async apply(events: readonly StoredEvent[]): Promise<void> {
    const { position } = events.at(-1) as StoredEvent;
    await this.eachGeneration(position, async (one, tx) => {
      const fresh = events.filter((event) => this.isNew(one, event.position));
      if (fresh.length > 0) await this.projection.apply(fresh, tx, one.table);
    });
    this.handled = position;
  }

  /** This process has ceased to follow: the next one, or a later turn of this one, takes over anew. */
  release(): void {
    const { readModels, schema } = this.options;
    for (const { follower } of this.followed) readModels.release(schema, follower);
  }

  saveProgress(position: Position): Promise<void> {
    return this.eachGeneration(position, async () => undefined);
  }

  noteProgress(position: Position): void {
    const { readModels, schema } = this.options;
    readModels.noteProgress?.(schema, this.live.follower, position);
  }

  private async eachGeneration(
    position: Position,
    work: (one: Followed, tx: Sql) => Promise<void>,
  ): Promise<void> {
    if (this.unsure) await this.look();
    this.unsure = true;
    let left_behind = false;
    for (const one of [this.live, ...this.followed.filter((other) => other !== this.live)]) {
      try {
        if (this.isNew(one, position)) await this.advance(one, position, work);
      } catch (error) {
        if (one === this.live) throw error;
        // The live one does not wait for it. A roll back, or the next start, lets it hear what it lacks.
        const { log } = this.options;
        log.warn({ err: error, follower: one.follower }, 'a kept generation is left behind');
        left_behind = true;
      }
    }
    this.unsure = left_behind;
  }

  private async advance(
    one: Followed,
    position: Position,
    work: (one: Followed, tx: Sql) => Promise<void>,
  ): Promise<void> {
    const { readModels, schema } = this.options;
    await readModels.transaction(async (tx) => {
      await work(one, tx);
      await readModels.saveCheckpoint(tx, schema, one.follower, position, one.saved);
    });
    one.saved = position;
  }

  private async read(): Promise<readonly Generation[]> {
    const { readModels, schema } = this.options;
    const all = await lookAtGenerations(readModels, schema, this.projection);
    return all.filter(({ state }) => state !== 'building');
  }

  private async takeUp(generation: Generation): Promise<Followed> {
    const { readModels, schema } = this.options;
    const follower = generationFollower(this.projection, generation, this.mode);
    const table = generationTable(this.projection.table, generation.generation);
    return { generation, follower, table, saved: await readModels.checkpoint(schema, follower) };
  }

  private liveOf(followed: readonly Followed[]): Followed {
    const live = followed.find(({ generation }) => generation.state === 'live');
    invariant(live, `${this.projection.table} has a live generation: a migration makes the first`);
    return live;
  }

  private isNew({ saved }: Followed, position: Position): boolean {
    return saved === null || this.options.eventStore.isBefore(saved, position);
  }

  /** What was handed over in the meantime does not come again. */
  private lacksEvents({ saved }: Followed): boolean {
    if (this.handled === null) return false;
    return saved === null || this.options.eventStore.isBefore(saved, this.handled);
  }
}
