/** A question that one context asks another and needs answered at once. `deadline_ms` is wall time. */
export interface Call<Input, Output> {
  readonly name: string;
  readonly deadline_ms: number;
  readonly __types?: (input: Input) => Output;
}

export const call = <Input, Output>(name: string, deadline_ms = 800): Call<Input, Output> => ({
  name,
  deadline_ms,
});
