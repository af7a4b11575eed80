/** A question that one context asks another and needs answered at once. */
export interface Call<Input, Output> {
  readonly name: string;
  /** Wall time. */
  readonly deadline_ms: number;
  /** Never there; it ties the two types to the value. */
  readonly __types?: (input: Input) => Output;
}

export const call = <Input, Output>(name: string, deadline_ms = 800): Call<Input, Output> => ({
  name,
  deadline_ms,
});
