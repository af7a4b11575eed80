import { parseArgs } from 'node:util';
import type { Erasure } from './erase/run-erase';
import { UsageFault } from './faults';
import { readListen, type Listen } from './listen/listen-arguments';

export type ParkedAction =
  | { readonly action: 'list' }
  | { readonly action: 'show' | 'retry'; readonly id: string }
  | { readonly action: 'retry-all'; readonly consumer: string }
  | { readonly action: 'drop'; readonly id: string; readonly reason: string };

export type ReplayTarget = 'new' | 'roll-back' | 'drop-old' | number;

export type Command =
  | { readonly command: 'help' }
  | ({ readonly command: 'listen' } & Listen)
  | { readonly command: 'projections' }
  | {
      readonly command: 'replay';
      /** Null: all of them. */
      readonly projection: string | null;
      readonly dry_run: boolean;
      /** The swap is not asked for. */
      readonly yes: boolean;
      readonly to: ReplayTarget;
    }
  | { readonly command: 'migrate-log'; readonly dry_run: boolean }
  | ({ readonly command: 'erase' } & Erasure)
  | { readonly command: 'chain-restart'; readonly mode: 'test' | 'live' }
  | { readonly command: 'audit-verify' }
  | { readonly command: 'invariants' }
  | ({ readonly command: 'parked' } & ParkedAction);

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  to: { type: 'string' },
  reason: { type: 'string' },
  merchant: { type: 'string' },
  email: { type: 'string' },
  yes: { type: 'boolean' },
  mode: { type: 'string' },
} as const;

/** Which options a command takes besides `--json`; any other is an error. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  projections: [],
  replay: ['all', 'dry-run', 'to', 'yes'],
  'migrate-log': ['dry-run'],
  erase: ['merchant', 'email', 'yes'],
  'chain-restart': ['mode'],
  'audit verify': [],
  invariants: [],
  'parked list': [],
  'parked show': [],
  'parked retry': [],
  'parked retry-all': [],
  'parked drop': ['reason'],
};

type Values = Omit<ReturnType<typeof parse>['values'], 'json'>;

export interface Asked {
  readonly command: Command;
  /** JSON lines at a terminal, too. */
  readonly json: boolean;
}

/** Throws `UsageFault` with a sentence that says what the command takes. */
export function readCommand(args: readonly string[]): Asked {
  if (args[0] === 'listen') {
    const listen = readListen(args.slice(1));
    const command: Command = listen ? { command: 'listen', ...listen } : { command: 'help' };
    return { command, json: listen?.json ?? false };
  }
  const { values, positionals } = parse(args);
  const { json = false, ...options } = values;
  return { command: commandOf(options, positionals), json };
}

function commandOf(values: Values, positionals: readonly string[]): Command {
  const [group, command, ...rest] = positionals;
  if (values.help || group === undefined || group === 'help') return { command: 'help' };
  if (group !== 'ops') {
    throw new UsageFault(`There is no "tender ${group}"; there are "tender listen" and "tender ops".`);
  }
  switch (command) {
    case undefined:
      return { command: 'help' };
    case 'projections':
    case 'invariants':
      check(command, values, rest, 0);
      return { command };
    case 'replay':
      return replay(values, rest);
    case 'migrate-log':
      check(command, values, rest, 0);
      return { command, dry_run: values['dry-run'] ?? false };
    case 'erase':
      return { command, ...erasure(values, rest) };
    case 'chain-restart':
      check(command, values, rest, 0);
      return { command, mode: chainMode(values.mode) };
    case 'audit':
      return audit(values, rest);
    case 'parked':
      return { command, ...parked(values, rest) };
    default:
      throw new UsageFault(
        `There is no "tender ops ${command}"; there are projections, replay, parked, invariants, erase, audit, chain-restart and migrate-log.`,
      );
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}

function replay(values: Values, rest: readonly string[]): Command {
  check('replay', values, rest, values.all ? 0 : 1);
  const dry_run = values['dry-run'] ?? false;
  const yes = values.yes ?? false;
  return { command: 'replay', projection: rest[0] ?? null, dry_run, yes, to: target(values.to) };
}

function audit(values: Values, [action = '', ...rest]: readonly string[]): Command {
  if (action !== 'verify') throw new UsageFault('"tender ops audit" takes one word after it: verify.');
  check('audit verify', values, rest, 0);
  return { command: 'audit-verify' };
}

function chainMode(mode: string | undefined): 'test' | 'live' {
  if (mode === 'test' || mode === 'live') return mode;
  throw new UsageFault('"tender ops chain-restart" needs --mode test or --mode live.');
}

function target(to: string | undefined): ReplayTarget {
  if (to === undefined) return 'new';
  if (to === 'roll-back' || to === 'drop-old') return to;
  if (/^[1-9]\d{0,5}$/.test(to)) return Number(to);
  throw new UsageFault(`--to is "${to}"; it takes the number of a generation, roll-back or drop-old.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function erasure(values: Values, rest: readonly string[]): Erasure {
  check('erase', values, rest, 0);
  const merchant_id = values.merchant?.trim().toLowerCase() ?? '';
  if (!UUID.test(merchant_id)) throw new UsageFault('Whose customer? Add --merchant <id>, a UUID.');
  const email = values.email?.trim() ?? '';
  if (!email.includes('@')) throw new UsageFault('Which customer? Add --email <address>.');
  return { merchant_id, email, yes: values.yes ?? false };
}

function parked(values: Values, [action = 'list', ...rest]: readonly string[]): ParkedAction {
  switch (action) {
    case 'list':
      check('parked list', values, rest, 0);
      return { action };
    case 'show':
    case 'retry':
      check(`parked ${action}`, values, rest, 1);
      return { action, id: rest[0] as string };
    case 'retry-all':
      check('parked retry-all', values, rest, 1);
      return { action, consumer: rest[0] as string };
    case 'drop': {
      check('parked drop', values, rest, 1);
      const reason = values.reason?.trim();
      if (reason) return { action, id: rest[0] as string, reason };
      throw new UsageFault('A message is dropped for a reason: add --reason "<text>".');
    }
    default:
      throw new UsageFault(
        `There is no "tender ops parked ${action}"; there are list, show, retry, retry-all and drop.`,
      );
  }
}

/** `count` names, no more and no less, and no option that belongs to another command. */
function check(command: string, values: Values, rest: readonly string[], count: number): void {
  const foreign = Object.keys(values).find((name) => !TAKES[command]?.includes(name));
  if (foreign) throw new UsageFault(`"tender ops ${command}" does not take --${foreign}.`);
  if (rest.length < count) throw new UsageFault(`"tender ops ${command}" needs a name after it.`);
  const surplus = rest[count];
  if (surplus) throw new UsageFault(`"tender ops ${command}" does not know what to do with "${surplus}".`);
}
