/**
 * A rule set for one aggregate: pure, synchronous, silent. Time and ids arrive inside the command. Every command
 * has a rule of its own, under its type, and is refused with what that rule says: a new refusal of one command
 * does not concern the callers of another. Written as `{ … } satisfies Decider<Payment, PaymentEvent>`, so that the
 * rules keep their types.
 */
export interface Decider<State, Event> {
  readonly initial: State;
  evolve(state: State, event: Event): State;
  readonly decide: Readonly<
    Record<string, (command: never, state: State) => Decision<Event, string>>
  >;
}

export type Accepted<Event> = { readonly ok: true; readonly events: readonly Event[] };
export type Refused<Refusal extends string> = {
  readonly ok: false;
  readonly refusal: Refusal;
  readonly details?: Readonly<Record<string, unknown>>;
};
export type Decision<Event, Refusal extends string> = Accepted<Event> | Refused<Refusal>;

/** What all deciders have in common. */
export interface AnyDecider {
  readonly initial: unknown;
  evolve(state: never, event: never): unknown;
  readonly decide: Readonly<
    Record<string, (command: never, state: never) => Decision<unknown, string>>
  >;
}

export type StateOf<Rules extends AnyDecider> = ReturnType<Rules['evolve']>;
export type EventOf<Rules extends AnyDecider> = Parameters<Rules['evolve']>[1];
/** Any of its commands: `{ type: 'ConfirmPayment', … }`. */
export type CommandOf<Rules extends AnyDecider> = {
  [Type in keyof Rules['decide']]: Parameters<Rules['decide'][Type]>[0];
}[keyof Rules['decide']];
/** The refusals of this command alone. */
export type RefusalOf<Rules extends AnyDecider, Command> = Command extends {
  readonly type: infer Type extends keyof Rules['decide'];
}
  ? Extract<ReturnType<Rules['decide'][Type]>, { readonly ok: false }>['refusal']
  : never;

/** What the rules decide about a command. */
export function decide<Rules extends AnyDecider, Command extends CommandOf<Rules>>(
  rules: Rules,
  command: Command,
  state: StateOf<Rules>,
): Decision<EventOf<Rules>, RefusalOf<Rules, Command>> {
  const { type } = command as { readonly type: string };
  const rule = rules.decide[type] as (
    command: Command,
    state: StateOf<Rules>,
  ) => Decision<EventOf<Rules>, RefusalOf<Rules, Command>>;
  return rule(command, state);
}

/** The command is accepted; an empty list means that it has already had its effect. */
export const accept = <Event>(...events: readonly Event[]): Accepted<Event> => ({
  ok: true,
  events,
});

/** The command breaks a rule; `details` are safe to show to the caller. */
export const refuse = <Refusal extends string>(
  refusal: Refusal,
  details?: Readonly<Record<string, unknown>>,
): Refused<Refusal> => ({ ok: false, refusal, ...(details ? { details } : {}) });
