/** The fold of an aggregate: its decider, without what it decides. */
export interface Folding<State, Event> {
  readonly initial: State;
  evolve(state: State, event: Event): State;
}
