import type { AnyDecider, CommandOf, StateOf } from '@tender/kernel';
import type { Position, StreamMode } from '../events/event';
import type { Runtime } from '../runtime';
import type { Known, ViewedAggregate } from './aggregate';
import type { FoldedView } from './folded-view';

/** A row whose time has come. */
export interface DueRow {
  readonly id: string;
  readonly mode: StreamMode;
  readonly state: unknown;
  /** ISO 8601, business time. */
  readonly due_at: string;
}

/** What is to happen to objects at times that their rows tell: `billing.expire-intents`. */
export interface Timer {
  readonly name: string;
  readonly view: FoldedView;
  /** Column of the view, ISO 8601 text: when something is next due; null where nothing is. */
  readonly at: string;
  /**
   * Gives the command that is due. The same row at the same time is the same command, so it takes effect once,
   * whichever process runs it, and however often. Answers where in the log its effect is; null where it had none.
   * Throws `DueRefused`.
   */
  run(runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random'>, row: DueRow): Promise<Position | null>;
}

/** A timer gave a command that its object refuses: nothing else moves that row. */
export class DueRefused extends Error {
  override readonly name = 'DueRefused';
}

export interface DueOptions<Rules extends AnyDecider> {
  readonly name: string;
  readonly of: ViewedAggregate<Rules>;
  readonly at: string;
  readonly command: (state: Known<StateOf<Rules>>, due_at: string) => CommandOf<Rules>;
}

/**
 * A timer of an aggregate: a column of its view, and the command that is due then. The events of the command must
 * move the column on, or empty it, and no object is due twice at the very same time. The program runs all timers
 * with one loop; a test clock stops at each.
 */
export function due<Rules extends AnyDecider>(options: DueOptions<Rules>): Timer {
  const { name, of, at, command } = options;
  return {
    name,
    view: of.view,
    at,
    async run(runtime, { id, mode, state, due_at }) {
      const known = state as Known<StateOf<Rules>>;
      const handled = await of.handle(runtime, mode, id, command(known, due_at), {
        command_id: `${name}|${id}|${due_at}`,
        body_hash: null,
        merchant_id: of.merchantOf(known),
        actor: `system:${name}`,
        correlation_id: runtime.random.uuid(),
        causation_id: null,
      });
      if (!handled.ok) throw new DueRefused(`${name}: ${id} refuses with ${handled.refusal}`);
      return handled.position;
    },
  };
}
