/// <reference types="jest" />
import { accept, type Decider } from '@tender/kernel';

/** Given what has happened, when someone asks, then these events or that refusal. */
export function specificationOf<State, Command, Event, Refusal extends string>(
  decider: Decider<State, Command, Event, Refusal>,
) {
  return (...given: readonly Event[]) => ({
    when(command: Command) {
      const state = given.reduce(
        (before, event) => decider.evolve(before, event),
        decider.initial,
      );
      const decision = decider.decide(command, state);
      return {
        then: (...events: readonly Event[]) => expect(decision).toEqual(accept(...events)),
        thenRefused: (refusal: Refusal, details?: Readonly<Record<string, unknown>>) =>
          expect(decision).toMatchObject({ ok: false, refusal, ...(details ? { details } : {}) }),
        /** For what the events leave open: the state after them. */
        decision,
      };
    },
  });
}
