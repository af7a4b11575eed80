import type { Call } from '@tender/kernel';
import type { StreamMode } from '../events/event';

/** On whose behalf a call is made. */
export interface Asking {
  readonly mode: StreamMode;
  readonly correlation_id: string;
}

/** A call that changes something names its command: asked again, it has no second effect. */
export type AskingFor<Changes extends boolean> = Changes extends true
  ? Asking & { readonly command_id: string }
  : Asking;

/** The same as the answering context hears it; null where nothing is to be changed. */
export interface Asked extends Asking {
  readonly command_id: string | null;
}

/** Nothing else of `asking` goes along, whatever it is part of. */
export function askedOf<Changes extends boolean>(
  { changes }: Pick<Call<never, unknown, Changes>, 'changes'>,
  asking: AskingFor<Changes>,
): Asked {
  const { mode, correlation_id, command_id = null } = asking as Asking & Partial<Asked>;
  return { mode, correlation_id, command_id: changes ? command_id : null };
}

export type Answerer<Input, Output> = (input: Input, asked: Asked) => Promise<Output>;

/** In one process the answering function itself; between processes signed HTTP with the same deadline. */
export interface Calls {
  answer<Input, Output>(question: Call<Input, Output>, by: Answerer<Input, Output>): void;
  /**
   * Throws `Unavailable` when there is no answer in time, for whatever reason: of a command the outcome is then
   * unknown, and the asking context repeats it. Throws `NotThisOne` where the answering context has failed with this
   * question: it may answer others.
   */
  ask<Input, Output, Changes extends boolean>(
    question: Call<Input, Output, Changes>,
    input: Input,
    asking: AskingFor<Changes>,
  ): Promise<Output>;
}
