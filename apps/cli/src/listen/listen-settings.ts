import { DemoFault, knownDemoKey } from '@tender/demo';
import { CommandFault } from '../faults';
import { readDataDir } from '../settings';
import { mustBeAddress, TENDER_EXAMPLE } from './listen-arguments';

/** Where Tender is, as the environment has it. Throws a `CommandFault`. */
export function readAddress({ TENDER_URL, PORT }: NodeJS.ProcessEnv): string {
  if (TENDER_URL) {
    mustBeAddress('TENDER_URL', TENDER_URL, TENDER_EXAMPLE);
    return TENDER_URL;
  }
  const address = `http://127.0.0.1:${PORT || 8080}`;
  if (!PORT || (/^\d+$/.test(PORT) && URL.canParse(address))) return address;
  throw new CommandFault(`PORT is "${PORT}"; it takes a port like 8080. Or name the address with --url.`);
}

/** `given` with --key, else of the environment or the demo merchant. Throws a `CommandFault` that does not show it. */
export function readKey(env: NodeJS.ProcessEnv, given: string | null): string {
  const key = given ?? (env.TENDER_API_KEY || demoKey(readDataDir(env)));
  // No header can carry anything else.
  if (!/^[!-~]+$/.test(key)) {
    throw new CommandFault(
      'The key is empty, or holds a space, a line break or a letter that no key has: give it as it was shown (svc_test_…).',
    );
  }
  // The webhook URL of live mode is where a shop hears of its money: nothing takes its place for a look.
  if (!key.startsWith('svc_live_')) return key;
  throw new CommandFault(
    'This is a live key: listening takes the place of the webhook URL, so it needs a test key (svc_test_…).',
  );
}

function demoKey(data_dir: string): string {
  const key = known(data_dir);
  if (key) return key;
  throw new CommandFault(
    `There is no key: give --key or TENDER_API_KEY, or start the program on ${data_dir} (npm start), whose demo merchant has one.`,
  );
}

function known(data_dir: string): string | null {
  try {
    return knownDemoKey(data_dir);
  } catch (error) {
    if (error instanceof DemoFault) throw new CommandFault(error.message);
    throw error;
  }
}
