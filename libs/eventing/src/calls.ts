/** A question that one context asks another and needs answered at once; declared in contracts. */
export interface Call<Input, Output> {
  readonly name: string;
  readonly deadline_ms: number;
  readonly __types?: (input: Input) => Output;
}

export const call = <Input, Output>(name: string, deadline_ms = 800): Call<Input, Output> => ({
  name,
  deadline_ms,
});

/** In one process the answering function itself; between processes signed HTTP with the same deadline. */
export interface Calls {
  answer<Input, Output>(question: Call<Input, Output>, by: (input: Input) => Promise<Output>): void;
  /** Throws `Unavailable` when nobody answers in time. */
  ask<Input, Output>(question: Call<Input, Output>, input: Input): Promise<Output>;
}
