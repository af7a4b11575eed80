/** What the operator who typed the command can fix; the message says how. */
export class CommandFault extends Error {
  override readonly name: string = 'CommandFault';
  readonly exit_code: number = 1;
}

/** The command itself is wrong. */
export class UsageFault extends CommandFault {
  override readonly name = 'UsageFault';
  override readonly exit_code = 2;
}

/** A new table is built and compared; nothing was swapped, because the command was not told to. */
export const NOT_SWAPPED = 3;

/** Ctrl-C, as a shell reports it. */
export const INTERRUPTED = 130;
