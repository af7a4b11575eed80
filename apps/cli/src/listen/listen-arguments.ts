import { parseArgs } from 'node:util';
import { UsageFault } from '../faults';

/** `tender listen`; null: as the environment or the program on DATA_DIR has it. */
export interface Listen {
  readonly url: string | null;
  readonly key: string | null;
  readonly forward_to: string | null;
  readonly verbose: boolean;
  readonly json: boolean;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  key: { type: 'string' },
  'forward-to': { type: 'string' },
  verbose: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** What stands after `tender listen`; null asks for help. Throws `UsageFault`. */
export function readListen(args: readonly string[]): Listen | null {
  const { values } = parse(args);
  if (values.help) return null;
  const { url = null, key = null, verbose = false, json = false } = values;
  const forward_to = values['forward-to'] ?? null;
  mustBeAddress('--url', url, 'http://127.0.0.1:8080');
  mustBeAddress('--forward-to', forward_to, 'http://localhost:3000/webhooks');
  return { url, key, forward_to, verbose, json };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}

function mustBeAddress(option: string, given: string | null, example: string): void {
  if (given === null || /^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '')) return;
  throw new UsageFault(`${option} is "${given}"; it takes an address like ${example}.`);
}
