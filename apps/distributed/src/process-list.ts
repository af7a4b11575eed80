/** A process as people find it. */
export interface StartedProcess {
  readonly name: string;
  /** Null where it is not ours. */
  readonly pid: number | null;
  readonly place: string;
}

/** One line for each process: its name, its pid, and where it is. */
export function processList(processes: readonly StartedProcess[]): string {
  const line = ({ name, pid, place }: StartedProcess): string =>
    `  ${name.padEnd(20)} ${(pid === null ? '' : `pid ${pid}`).padEnd(12)} ${place}`.trimEnd();
  return `${processes.map(line).join('\n')}\n`;
}
