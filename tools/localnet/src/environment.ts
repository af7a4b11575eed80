import { join } from 'node:path';
import type { LocalnetOptions } from './localnet';

/** The settings of the child process, as environment variables. */
export const ENVIRONMENT = {
  dataDir: 'LOCALNET_DATA_DIR',
  ports: 'LOCALNET_PORTS',
  host: 'LOCALNET_HOST',
  publicHost: 'LOCALNET_PUBLIC_HOST',
  networksFile: 'LOCALNET_NETWORKS_FILE',
  slotMs: 'LOCALNET_SLOT_MS',
  restSlotMs: 'LOCALNET_REST_SLOT_MS',
  timeOffsetMs: 'LOCALNET_TIME_OFFSET_MS',
  finalitySlots: 'LOCALNET_FINALITY_SLOTS',
  blockhashBlocks: 'LOCALNET_BLOCKHASH_BLOCKS',
  snapshotSlots: 'LOCALNET_SNAPSHOT_SLOTS',
} as const;

const NUMBERS = [
  'slotMs', 'restSlotMs', 'timeOffsetMs', 'finalitySlots', 'blockhashBlocks', 'snapshotSlots',
] as const;

const TEXTS = ['host', 'publicHost', 'networksFile'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** `LOCALNET_PORTS` is `<test>,<live>`; what is not set keeps its default. */
export function optionsFrom(variables: Variables): LocalnetOptions {
  const numbers = NUMBERS.flatMap((name) => {
    const text = variables[ENVIRONMENT[name]];
    return text ? [[name, integer(ENVIRONMENT[name], text)] as const] : [];
  });
  const texts = TEXTS.flatMap((name) => {
    const text = variables[ENVIRONMENT[name]];
    return text ? [[name, text] as const] : [];
  });
  const ports = variables[ENVIRONMENT.ports];
  return {
    dataDir: variables[ENVIRONMENT.dataDir] ?? join(process.cwd(), '.data', 'localnet'),
    ...Object.fromEntries([...numbers, ...texts]),
    ...(ports ? { ports: portsFrom(ports) } : {}),
  };
}

/** The inverse: what a parent passes to its child. */
export function variablesOf(options: LocalnetOptions): Record<string, string> {
  const { dataDir, ports } = options;
  const others = [...NUMBERS, ...TEXTS].flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[ENVIRONMENT[name], String(value)] as const];
  });
  return {
    [ENVIRONMENT.dataDir]: dataDir,
    ...Object.fromEntries(others),
    ...(ports ? { [ENVIRONMENT.ports]: `${ports.test},${ports.live}` } : {}),
  };
}

function portsFrom(text: string): { test: number; live: number } {
  const [test, live] = text.split(',').map((port) => integer(ENVIRONMENT.ports, port));
  if (test === undefined || live === undefined || Math.abs(test - live) < 2) {
    throw new Error(`${ENVIRONMENT.ports} is two ports with one between them: 8899,8901`);
  }
  return { test, live };
}

function integer(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be an integer, not "${text}"`);
  return value;
}
