/** A typed question between contexts, as contracts declares it. */
export interface Question<Input, Output> {
  readonly name: string;
  readonly deadline_ms: number;
  readonly __types?: (input: Input) => Output;
}

/** In one process the answering function itself; between processes signed HTTP with the same deadline. */
export interface Calls {
  answer<Input, Output>(
    question: Question<Input, Output>,
    by: (input: Input) => Promise<Output>,
  ): void;
  /** Throws `Unavailable` when nobody answers in time. */
  ask<Input, Output>(question: Question<Input, Output>, input: Input): Promise<Output>;
}
