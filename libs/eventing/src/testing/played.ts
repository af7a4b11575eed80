import { decide, type AnyDecider, type CommandOf, type EventOf, type StateOf } from '@tender/kernel';

/** What commands lead to, one after the other; a refused one changes nothing. */
export interface Played<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
  /** Of each command: the types of its events, or its refusal. */
  readonly told: readonly string[];
}

export function played<Rules extends AnyDecider>(
  rules: Rules,
  commands: readonly CommandOf<Rules>[],
  from: StateOf<Rules> = rules.initial as StateOf<Rules>,
): Played<StateOf<Rules>, EventOf<Rules>> {
  const evolve = rules.evolve as (state: unknown, event: unknown) => StateOf<Rules>;
  let state = from;
  const events: EventOf<Rules>[] = [];
  const told: string[] = [];
  for (const command of commands) {
    const decision = decide(rules, command, state);
    told.push(outcomeOf(decision));
    if (!decision.ok) continue;
    events.push(...decision.events);
    state = decision.events.reduce<StateOf<Rules>>(evolve, state);
  }
  return { state, events, told };
}

type AnyDecision =
  | { readonly ok: true; readonly events: readonly unknown[] }
  | { readonly ok: false; readonly refusal: string };

/** `PeriodPaid, PeriodOpened`, `nothing`, or `! plan_inactive`. */
export function outcomeOf(decision: AnyDecision): string {
  if (!decision.ok) return `! ${decision.refusal}`;
  const types = decision.events.map((event) => (event as { readonly type: string }).type);
  return types.length === 0 ? 'nothing' : types.join(', ');
}
