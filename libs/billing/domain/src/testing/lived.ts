import { decide, type AnyDecider, type CommandOf, type EventOf, type StateOf } from '@tender/kernel';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, later } from '../time';

/** Something that is asked, how long after the one before, and a choice to make of it. */
export type Step = readonly [kind: string, waits_ms: number, choice: number];

/** Steps of these kinds at arbitrary times: at once, within hours, and within so many days. */
export const stepsOf = (kinds: readonly string[], days: number): fc.Arbitrary<Step[]> => {
  const hours = fc.integer({ min: 0, max: 3 * HOUR_MS });
  const waits = fc.oneof(fc.constant(0), hours, fc.integer({ min: 0, max: days * DAY_MS }));
  const choice = fc.integer({ min: 0, max: 23 });
  return fc.array(fc.tuple(fc.constantFrom(...kinds), waits, choice), { maxLength: 40 });
};

/** What has a time at which the next thing is due, and is told by events of what each leaves. */
export interface Living<Rules extends AnyDecider, Known extends StateOf<Rules>> {
  readonly rules: Rules;
  readonly from: string;
  readonly create: CommandOf<Rules>;
  readonly dueAt: (state: Known) => string | null;
  readonly advance: (due_at: string, now?: string) => CommandOf<Rules>;
  readonly figuresOf: (state: Known) => unknown;
  /** Whether an event tells what the next one of its append leaves; none does unless told. */
  readonly tellsNext?: (event: EventOf<Rules>, next: EventOf<Rules> | undefined) => boolean;
  /** Null: nothing is asked. */
  readonly commandOf: (step: Step, state: Known, now: string) => CommandOf<Rules> | null;
}

/**
 * A life of these steps. If the timer is `punctual`, it also runs at each time that is due; once it has run, nothing is
 * due at the same time again. Each event tells what it leaves.
 */
export function lived<Rules extends AnyDecider, Known extends StateOf<Rules>>(
  living: Living<Rules, Known>,
  steps: readonly Step[],
  punctual: boolean,
) {
  const { rules, create, dueAt, advance, figuresOf, commandOf, tellsNext } = living;
  const evolve = rules.evolve as (state: unknown, event: unknown) => Known;
  const events: EventOf<Rules>[] = [];
  let state = rules.initial as Known;
  let now = living.from;
  give(create);
  for (const step of steps) {
    const until = later(now, step[1]);
    if (punctual) run(until);
    now = until;
    const command = commandOf(step, state, now);
    if (command === null) continue;
    if (step[0] === 'advance') runOnce(command);
    else give(command);
  }
  return { state, events };

  function run(until: string): void {
    for (let due = dueAt(state); due !== null && due < until; due = dueAt(state)) {
      runOnce(advance(due));
    }
  }

  function runOnce(command: CommandOf<Rules>): void {
    const due = dueAt(state);
    give(command);
    const next = dueAt(state);
    expect(due !== null && (next === null || next > due)).toBe(true);
  }

  function give(command: CommandOf<Rules>): void {
    const decision = decide(rules, command, state);
    if (!decision.ok) return;
    for (const [n, event] of decision.events.entries()) {
      state = evolve(state, event);
      events.push(event);
      const { data } = event as { readonly data: { readonly after: unknown } };
      const next = decision.events[n + 1];
      const told = tellsNext?.(event, next) ? evolve(state, next) : state;
      expect(data.after).toEqual(figuresOf(told));
    }
  }
}
