import type { Refused } from './decider';

/** Which replica may answer: any of them, or only the leader, which may wait for a takeover. */
export type AnsweredBy = 'any' | 'leader';

/** A question that one context asks another and needs answered at once. Input and output are plain JSON. */
export interface Call<Input, Output, Changes extends boolean = boolean> {
  /** `<context>.<question>` */
  readonly name: string;
  /** Wall time, finding the process that answers included. */
  readonly deadline_ms: number;
  readonly answered_by: AnsweredBy;
  /** It has one effect per command id, however often it is asked. */
  readonly changes: Changes;
  /** Asked often, and answered at once: of those that are asked together, none minds to wait for the others. */
  readonly gathered: boolean;
  /** Never set; it ties the types to the value. */
  readonly __types?: (input: Input) => Output;
}

type NotJson = bigint | symbol | Date | Uint8Array | ((...args: never[]) => unknown);
type PlainField<Field> = unknown extends Field
  ? Field
  : Field extends NotJson
    ? never
    : Plain<Field>;

/**
 * What JSON leaves as it is: a type with anything else in it is not assignable to its own. Inside one process a call
 * hands over what it was given, and between processes the same arrives. `unknown` is JSON that a client has sent.
 */
export type Plain<Value> = { readonly [Key in keyof Value]: PlainField<Value[Key]> };

export type CallTraits = Partial<
  Pick<Call<never, never>, 'deadline_ms' | 'answered_by' | 'gathered'>
>;

const DEADLINE_MS = 800;

/** A call that changes nothing. */
export const call = <Input extends Plain<Input>, Output extends Plain<Output>>(
  name: string,
  { deadline_ms = DEADLINE_MS, answered_by = 'any', gathered = false }: CallTraits = {},
): Call<Input, Output, false> => ({ name, deadline_ms, answered_by, gathered, changes: false });

/** The result of a command: its value, or a refusal by name. */
export type Outcome<Value, Refusal extends string> =
  | { readonly ok: true; readonly value: Value }
  | Refused<Refusal>;

/** The command has had its effect, now or when it was asked before. */
export const done = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

/** A call that changes something: its refusals are values, and it may be asked again with its command id. */
export const commandCall = <
  Input extends Plain<Input>,
  Value extends Plain<Value>,
  Refusal extends string,
>(
  name: string,
  { deadline_ms = DEADLINE_MS, answered_by = 'leader', gathered = false }: CallTraits = {},
): Call<Input, Outcome<Value, Refusal>, true> => {
  return { name, deadline_ms, answered_by, gathered, changes: true };
};
