import type { Terminal } from './terminal';

const COLOURS: Readonly<Record<string, number>> = {
  live: 32,
  building: 36,
  behind: 33,
  stopped: 31,
};

/** The states in a line, in their colours. */
export const painted = ({ colours }: Pick<Terminal, 'colours'>, line: string): string =>
  colours
    ? line.replace(/(?<= )(live|building|behind|stopped)(?= |$)/g, (state) => {
        return `\u001b[${COLOURS[state]}m${state}\u001b[39m`;
      })
    : line;
