import {
  idOf,
  InTurn,
  savedPosition,
  type Follower,
  type Known,
  type Runtime,
  type StoredEvent,
  type ViewedAggregate,
} from '@tender/eventing';
import type { AnyDecider, StateOf } from '@tender/kernel';

type States<Rules extends AnyDecider> = ReadonlyMap<string, Known<StateOf<Rules>>>;

/**
 * All objects of one kind in the memory of this replica: their rows, and from there what the log says. An answer from
 * it costs no query; a change is known as soon as this replica has heard the log.
 */
export class LiveCopy<Rules extends AnyDecider> {
  private readonly states = new Map<string, Known<StateOf<Rules>>>();
  private begun: Promise<Follower> | null = null;
  private readonly in_turn = new InTurn();

  constructor(
    private readonly runtime: Pick<Runtime, 'eventStore' | 'readModels'>,
    private readonly of: ViewedAggregate<Rules>,
    /** Awaited before the change counts as heard. */
    private readonly changed: (states: States<Rules>) => void | Promise<void>,
  ) {}

  /** Resolves once what was in the log at the first call has been heard. A failed start is tried again by the next. */
  async ready(): Promise<void> {
    await this.follower();
  }

  /** Resolves once what is in the log now has been heard. */
  async upToDate(): Promise<States<Rules>> {
    await (await this.follower()).idle();
    return this.states;
  }

  async close(): Promise<void> {
    const follower = await this.begun?.catch(() => null);
    await follower?.stop();
  }

  private follower(): Promise<Follower> {
    this.begun ??= this.begin().catch((error: unknown) => {
      this.begun = null;
      throw error;
    });
    return this.begun;
  }

  private async begin(): Promise<Follower> {
    const { eventStore, readModels } = this.runtime;
    const { view, categories } = this.of;
    // Before the rows: what they hold beyond it is only heard twice.
    const from = await savedPosition(readModels, view.schema, view.follower('all'));
    const rows = await readModels.query<{ id: string; state: Known<StateOf<Rules>> }>(
      `select id, state from ${view.table}`,
    );
    for (const { id, state } of rows) this.states.set(id, state);
    let has_begun = false;
    const follower = eventStore.follow({
      name: `${view.name}.live-copy:all`,
      categories,
      from,
      onEvents: async (events) => {
        await this.hear(events);
        if (has_begun) await this.tell();
      },
    });
    try {
      // What a row says may be overtaken by what the log has said since: it is told of when both are known.
      await follower.idle();
      has_begun = true;
      await this.tell();
      return follower;
    } catch (error) {
      await follower.stop();
      throw error;
    }
  }

  /** One after the other, so that the newest is told of last. */
  private tell(): Promise<void> {
    return this.in_turn.run('changed', async () => this.changed(this.states));
  }

  private async hear(events: readonly StoredEvent[]): Promise<void> {
    const ids = new Set(events.map(({ stream }) => idOf(stream)));
    for (const id of ids) {
      const state = await this.of.load(this.runtime, 'all', id);
      if (state) this.states.set(id, state);
    }
  }
}
