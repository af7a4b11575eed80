import { invariant, isoTime, type AnyDecider, type CommandOf, type StateOf } from '@tender/kernel';
import type { Position, StreamMode } from '../events/event';
import type { Runtime } from '../runtime';
import type { ViewedAggregate } from './aggregate';
import type { FoldedView } from './folded-view';
import type { Known } from './known';

/** A row whose time has come. */
export interface DueRow {
  readonly id: string;
  readonly mode: StreamMode;
  /** ISO 8601, business time. */
  readonly due_at: string;
}

/** What is to happen to objects at times that their rows tell: `billing.expire-intents`. */
export interface Timer {
  readonly name: string;
  readonly view: Pick<FoldedView, 'schema' | 'table' | 'follower'>;
  /** Column of the view, ISO 8601 text: when something is next due; null where nothing is. */
  readonly at: string;
  /**
   * Gives the command that is due, unless the object is due at another time by now: the row may be behind. The same
   * row at the same time is the same command, which takes effect once, however often it is given. Answers where in
   * the log the effect is, or what has moved the object meanwhile: its row shows that once the view is so far. Null
   * where there is none. Throws `DueRefused`.
   */
  run(runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random'>, row: DueRow): Promise<Position | null>;
}

/** A timer gave a command that its object refuses. */
export class DueRefused extends Error {
  override readonly name = 'DueRefused';
}

export interface DueOptions<Rules extends AnyDecider> {
  readonly name: string;
  readonly of: ViewedAggregate<Rules>;
  readonly at: string;
  readonly command: (state: Known<StateOf<Rules>>, due_at: string, now: string) => CommandOf<Rules>;
}

/**
 * A timer of an aggregate: a column of its view, and the command that is due then. The rule of the command compares
 * `due_at` once more: the object may be moved at the same moment. Its events move the column on, or empty it, and no
 * object is due twice at the very same time.
 */
export function due<Rules extends AnyDecider>(options: DueOptions<Rules>): Timer {
  const { name, of, at, command } = options;
  const column = of.view.columns[at];
  invariant(column, `${name}: the view of the object has a column ${at}`);
  invariant(of.view.columns['mode'], `${name}: the rows of the object say whose they are`);
  const [, timeOf] = column;
  return {
    name,
    view: of.view,
    at,
    async run(runtime, { id, mode, due_at }) {
      const state = await of.load(runtime, mode, id);
      if (state === null || timeOf(state, mode) !== due_at) {
        return (await of.history(runtime, mode, id)).at(-1)?.position ?? null;
      }
      const now = isoTime(runtime.clock.now());
      const handled = await of.handle(runtime, mode, id, command(state, due_at, now), {
        command_id: `${name}|${id}|${due_at}`,
        body_hash: null,
        merchant_id: of.merchantOf(state),
        actor: `system:${name}`,
        correlation_id: runtime.random.uuid(),
        causation_id: null,
      });
      if (!handled.ok) throw new DueRefused(`${name}: ${id} refuses with ${handled.refusal}`);
      return handled.position;
    },
  };
}
