import type { Call } from '@tender/kernel';

/** In one process the answering function itself; between processes signed HTTP with the same deadline. */
export interface Calls {
  answer<Input, Output>(
    question: Call<Input, Output>,
    by: (input: Input) => Promise<Output>,
  ): void;
  /** Throws `Unavailable` when nobody answers in time. */
  ask<Input, Output>(question: Call<Input, Output>, input: Input): Promise<Output>;
}
