/// <reference types="jest" />
import {
  accept,
  decide,
  type AnyDecider,
  type CommandOf,
  type EventOf,
  type RefusalOf,
  type StateOf,
} from '@tender/kernel';
import { foldingOf } from '../aggregates/command-handler';

/** The state after these events. */
export const stateAfter = <Rules extends AnyDecider>(
  rules: Rules,
  events: readonly EventOf<Rules>[],
): StateOf<Rules> =>
  events.reduce(foldingOf(rules).evolve, foldingOf(rules).initial);

/** Given what has happened, when someone asks, then these events or that refusal. */
export function specificationOf<Rules extends AnyDecider>(rules: Rules) {
  return (...given: readonly EventOf<Rules>[]) => ({
    when<Command extends CommandOf<Rules>>(command: Command) {
      const decision = decide(rules, command, stateAfter(rules, given));
      return {
        then: (...events: readonly EventOf<Rules>[]) => expect(decision).toEqual(accept(...events)),
        thenRefused: (
          refusal: RefusalOf<Rules, Command>,
          details?: Readonly<Record<string, unknown>>,
        ) =>
          expect(decision).toMatchObject({ ok: false, refusal, ...(details ? { details } : {}) }),
        /** For what the events leave open. */
        decision,
      };
    },
  });
}
