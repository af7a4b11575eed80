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

/** Ctrl-C, as a shell reports it. */
export const INTERRUPTED = 130;
