/** A rule set for one aggregate: pure, synchronous, silent. Time and ids arrive inside the command. */
export interface Decider<State, Command, Event, Refusal extends string> {
  readonly initial: State;
  decide(command: Command, state: State): Decision<Event, Refusal>;
  evolve(state: State, event: Event): State;
}

export type Accepted<Event> = { readonly ok: true; readonly events: readonly Event[] };
export type Refused<Refusal extends string> = {
  readonly ok: false;
  readonly refusal: Refusal;
  readonly details?: Readonly<Record<string, unknown>>;
};
export type Decision<Event, Refusal extends string> = Accepted<Event> | Refused<Refusal>;

/** The command holds; an empty list means that it already has its effect. */
export const accept = <Event>(...events: readonly Event[]): Accepted<Event> => ({
  ok: true,
  events,
});

/** The command breaks a rule; `details` are safe to show to the caller. */
export const refuse = <Refusal extends string>(
  refusal: Refusal,
  details?: Readonly<Record<string, unknown>>,
): Refused<Refusal> => ({ ok: false, refusal, ...(details ? { details } : {}) });
