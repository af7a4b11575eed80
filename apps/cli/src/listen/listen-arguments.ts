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

export const TENDER_EXAMPLE = 'http://127.0.0.1:8080';

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
  mustBeAddress('--url', url, TENDER_EXAMPLE);
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

/** What stands before an `@` in the place of the host. */
const LOGIN = /^(?:[a-z][a-z\d+.-]*:)?[/\\]*[^/\\?#]*@/i;

/** `option`: of the command, or of the environment. Throws `UsageFault`, which does not repeat a login. */
export function mustBeAddress(option: string, given: string | null, example: string): void {
  if (given === null) return;
  if (LOGIN.test(given)) {
    throw new UsageFault(`${option} holds a login, which would not be sent: leave out what stands before the @.`);
  }
  if (/^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '')) return;
  throw new UsageFault(`${option} is "${given}"; it takes an address like ${example}.`);
}
