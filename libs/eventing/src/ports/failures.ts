/** A part that the work needs cannot be reached, or did not answer in time: the outcome is unknown. Try again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  constructor(
    readonly part: string,
    options?: ErrorOptions & { reason?: string },
  ) {
    super(`${part} is unavailable${options?.reason ? `: ${options.reason}` : ''}`, options);
  }
}

/**
 * The part answers, and could not do this one: what it needs is out of date, or it has failed. Neither another replica
 * nor asking again at once helps, and others may be done meanwhile. To a client it is `Unavailable` all the same.
 */
export class NotThisOne extends Unavailable {}

/** A part does not answer at all: whatever else is asked of it waits as well. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Unavailable && !(error instanceof NotThisOne);

/** The nodes of a mode belong to a network that it must not use. */
export class NetworkRefused extends Unavailable {
  constructor(
    /** What is wrong and the way out, in words that everyone may read. */
    readonly sentence: string,
  ) {
    super('the chain', { reason: sentence });
  }
}

/** An event holds text that no store can keep (NUL, or half of a surrogate pair). Nothing was appended. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
  constructor(readonly stream: string) {
    super(`an event for ${stream} holds NUL or a lone surrogate`);
  }
}
