import type { Terminal } from './terminal';

const COLOURS: Readonly<Partial<Record<string, number>>> = {
  live: 32,
  building: 36,
  behind: 33,
  stopped: 31,
};

/** A state in its colour. */
export function painted({ colours }: Pick<Terminal, 'colours'>, state: string): string {
  const colour = COLOURS[state];
  return colours && colour !== undefined ? `\u001b[${colour}m${state}\u001b[39m` : state;
}
