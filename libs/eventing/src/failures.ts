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
