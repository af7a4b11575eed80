import { parseArgs } from 'node:util';
import { AREAS, type Attack } from './attack';

/** Which part of how many: `2/5`. */
export interface Part {
  readonly number: number;
  readonly of: number;
}
export interface Options {
  /** An area, or a part of a name; null: all. */
  readonly only: string | null;
  /** Null: no mutation run. */
  readonly mutants: Part | null;
  readonly json: boolean;
}

/** Throws a sentence where the arguments say nothing that is known. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [part = '1/1', ...others] = positionals;
  if (others.length > 0 || (positionals.length > 0 && !values.mutants)) {
    throw new Error('it takes --only <area or name>, --mutants [n/m], --json');
  }
  const mutants = values.mutants ? readPart(part) : null;
  return { only: values.only ?? null, mutants, json: values.json };
}

function readPart(text: string): Part {
  const [number = 0, of = 0] = text.split('/').map(Number);
  const fits = Number.isInteger(number) && Number.isInteger(of) && number >= 1 && number <= of;
  if (!fits) throw new Error(`--mutants takes a part such as 2/5, not "${text}"`);
  return { number, of };
}

/** The attacks that are meant; throws where there are none. */
export function chosen(attacks: readonly Attack[], only: string | null): readonly Attack[] {
  if (only === null) return attacks;
  const found = attacks.filter(({ area, name }) => area === only || name.includes(only));
  if (found.length > 0) return found;
  throw new Error(`no attack is called "${only}"; areas are ${AREAS.join(', ')}`);
}
