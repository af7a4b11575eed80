import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invariant, MODES, type Mode } from '@tender/kernel';
import { lockFolder } from './folder-lock';
import { MINTS } from './ledger/genesis';
import { Ledger } from './ledger/ledger';
import type { LedgerSettings } from './ledger/ledger-settings';
import { serveChain, type ChainServer } from './server/chain-server';

/** What a client needs to know of one ledger. */
export interface LocalnetNetwork {
  readonly rpc_url: string;
  readonly ws_url: string;
  readonly mints: { readonly USDC: string; readonly USDT: string };
  /** Address of a funded wallet; its secret key is an answer of `localnet_wallets`. */
  readonly fee_payer: string;
  readonly genesis_hash: string;
}

export type LocalnetNetworks = Readonly<Record<Mode, LocalnetNetwork>>;

export interface LocalnetOptions {
  /** Folder of both ledgers and their ports; a new folder is a new pair of chains. */
  readonly dataDir: string;
  /** HTTP ports; each ledger also takes the next one. Without it: the last ones, or any free. */
  readonly ports?: Readonly<Record<Mode, number>> | undefined;
  /** Tried on a first start, when `ports` is not given. */
  readonly preferredPorts?: Readonly<Record<Mode, number>> | undefined;
  /** The address to listen on; 127.0.0.1 by default. Anyone who reaches it can make money and time. */
  readonly host?: string | undefined;
  /** The host in the URLs of `networks`; 127.0.0.1 by default. */
  readonly publicHost?: string | undefined;
  /** A file that gets `networks` as JSON once both chains serve, for processes that did not start them. */
  readonly networksFile?: string | undefined;
  /** Milliseconds per slot; 400 by default. */
  readonly slotMs?: number | undefined;
  /**
   * Milliseconds per slot while nothing happens; `slotMs` by default. A transaction, a control method, and a blockhash
   * for as long as it lives bring back the usual pace at once.
   */
  readonly restSlotMs?: number | undefined;
  /** Ledger time minus wall time, in milliseconds; 0 by default. It never goes back. */
  readonly timeOffsetMs?: number | undefined;
  /** Slots from processed to finalized; 32 by default. */
  readonly finalitySlots?: number | undefined;
  /** Blocks for which a blockhash stays usable; 150 by default. */
  readonly blockhashBlocks?: number | undefined;
  /** Slots with transactions between two snapshots; 1,000 by default. */
  readonly snapshotSlots?: number | undefined;
}

export interface Localnet {
  readonly networks: LocalnetNetworks;
  readonly ledgers: Readonly<Record<Mode, Ledger>>;
  close(): Promise<void>;
}

type Ports = Partial<Record<Mode, number>>;

const LOOPBACK = '127.0.0.1';

function settingsOf(options: LocalnetOptions): LedgerSettings {
  const {
    slotMs = 400, restSlotMs = slotMs, timeOffsetMs = 0, finalitySlots = 32, blockhashBlocks = 150,
    snapshotSlots = 1_000,
  } = options;
  invariant(Number.isSafeInteger(slotMs) && slotMs > 0, 'slotMs is a positive integer');
  invariant(Number.isSafeInteger(restSlotMs) && restSlotMs >= slotMs, 'restSlotMs is slotMs or over');
  invariant(Number.isSafeInteger(finalitySlots) && finalitySlots > 1, 'finalitySlots is over 1');
  return {
    slotMs, restSlotMs, timeOffsetMs, finalitySlots, blockhashBlocks, snapshotSlots, wall: Date.now,
  };
}

function lastPorts(path: string): Ports {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Ports;
  } catch {
    return {};
  }
}

/** Runs both chains in this process. */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const { dataDir, ports: fixedPorts, preferredPorts, host = LOOPBACK } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  const ledgers: Partial<Record<Mode, Ledger>> = {};
  const servers: Partial<Record<Mode, ChainServer>> = {};
  const close = async () => {
    for (const server of Object.values(servers)) await server.close();
    for (const ledger of Object.values(ledgers)) await ledger.close();
    await lock.release();
  };
  try {
    const portsPath = join(dataDir, 'ports.json');
    const wanted: Ports = fixedPorts ?? { ...preferredPorts, ...lastPorts(portsPath) };
    for (const mode of MODES) {
      const ledger = Ledger.open(join(dataDir, mode), settingsOf(options), MINTS[mode]);
      ledgers[mode] = ledger;
      const place = { host, wanted: wanted[mode] ?? null, fixed: fixedPorts !== undefined };
      const publicHost = options.publicHost ?? LOOPBACK;
      servers[mode] = await serveChain(ledger, { ...place, publicHost });
    }
    const taken = MODES.map((mode) => [mode, servers[mode]?.port]);
    writeFileSync(portsPath, JSON.stringify(Object.fromEntries(taken)));
  } catch (error) {
    await close();
    throw error;
  }
  const networks = Object.fromEntries(
    MODES.map((mode) => [mode, networkOf(ledgers[mode], servers[mode])]),
  ) as Record<Mode, LocalnetNetwork>;
  if (options.networksFile) publish(options.networksFile, networks);
  return { networks, ledgers: ledgers as Record<Mode, Ledger>, close };
}

/** Whole or not at all: readers wait for the file to appear. */
function publish(path: string, networks: LocalnetNetworks): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, JSON.stringify(networks, null, 2));
  renameSync(partial, path);
}

function networkOf(ledger: Ledger | undefined, server: ChainServer | undefined): LocalnetNetwork {
  invariant(ledger && server, 'every mode has a ledger and a server');
  return {
    rpc_url: server.rpcUrl,
    ws_url: server.wsUrl,
    mints: ledger.genesis.mints,
    fee_payer: ledger.genesis.wallets.fee_payer.publicKey.toBase58(),
    genesis_hash: ledger.genesis.hash,
  };
}
