import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Mode } from '@tender/kernel';
import type { Rules } from '@tender/signer-domain';
import {
  ChainNodes,
  ledgerPool,
  openLedger,
  readSigner,
  SignerChain,
  signerService,
  type SignerLog,
} from '@tender/signer-features';
import type { Identity } from '@tender/threshold';
import { PRIORITY_LAMPORTS_MAX } from '@tender/transactions';
import { httpNode } from './chain/http-node';
import { openKeks } from './files/kek-source';
import { databasePasswordIn, identityIn } from './files/signer-files';
import { signerServer } from './server/signer-server';
import type { ChainSettings } from './settings/chain-settings';
import type { PinnedKeys } from './settings/pinned-keys';
import type { SignerSettings } from './settings/read-settings';
import { SettingsFault } from './settings/settings-fault';

export interface RunningSigner {
  readonly url: string;
  readonly identity_key: string;
  /** True when its ledger is under another key-encryption key, so that it gives no share; false when closed. */
  readonly kek_replaced: Promise<boolean>;
  close(): Promise<void>;
}

/** Connections to the ledger: a proposal and a share each take one for milliseconds. */
const CONNECTIONS_MAX = 8;
const STATEMENT_MS = 5_000;
const FORGET_EACH_MS = 5_000;
/** Until a signer sees that its key-encryption key is no longer that of its ledger. */
const LOOK_EACH_MS = 2_000;

/** Starts one signer, or throws a sentence that says what keeps it from serving. */
export async function startSigner(
  settings: SignerSettings,
  log: SignerLog,
  clock = { wall: () => Date.now() },
): Promise<RunningSigner> {
  const { role, dir, listen, pinned, kek_fd, database_url, approval } = settings;
  const identity = identityIn(dir);
  refuseOwnIdentity(identity, pinned);
  const keks = openKeks(dir, kek_fd);
  const ledger = openPool(database_url, databasePasswordIn(dir), log);
  try {
    const kek = await openLedger(ledger, role, ...keks);
    const [chains, rules] = [chainsOf(settings), rulesOf(settings)];
    const held = { role, identity, ...pinned, kek, ledger };
    const service = signerService({ ...held, chains, rules, approval, clock, log });
    const server = signerServer({ tls: listen.tls, log, answer: service.answer });
    server.listen(listen.port, listen.host);
    await once(server, 'listening');
    const forgetting = setInterval(() => service.dropEnded(), FORGET_EACH_MS).unref();
    const { port } = server.address() as AddressInfo;
    const url = `${listen.tls ? 'https' : 'http'}://${listen.host}:${port}`;
    return {
      url,
      identity_key: identity.public_key,
      kek_replaced: isKekReplaced(ledger, kek.id),
      async close() {
        clearInterval(forgetting);
        server.close();
        server.closeAllConnections();
        await ledger.end();
      },
    };
  } catch (error) {
    await ledger.end();
    throw error;
  }
}

async function isKekReplaced(ledger: Pool, kek_id: string): Promise<boolean> {
  while (!ledger.ending) {
    await setTimeout(LOOK_EACH_MS, null, { ref: false });
    // A ledger that is away says nothing of its key.
    const kept = await readSigner(ledger).catch(() => null);
    if (kept && kept.kek_id !== kek_id) return true;
  }
  return false;
}

function refuseOwnIdentity({ public_key }: Identity, pinned: PinnedKeys): void {
  for (const [name, key] of [
    ['TREASURY_IDENTITY', pinned.treasury_identity],
    ['PEER_IDENTITY', pinned.peer_identity],
  ]) {
    if (key !== public_key) continue;
    throw new SettingsFault(`${name} is this signer’s own identity: it names the other party’s.`);
  }
}

/** The connections of a signer to its ledger. */
export function openPool(
  connectionString: string,
  password: string,
  log: SignerLog,
  statement_ms = STATEMENT_MS,
): Pool {
  const { hostname, port, username, pathname } = new URL(connectionString);
  const config = {
    // Each by itself: what is absent in a URL would be taken from the environment.
    ...{ host: hostname, port: Number(port || 5432), user: decodeURIComponent(username), password },
    ...{ database: decodeURIComponent(pathname.slice(1)), application_name: 'tender-signer' },
    ...{ max: CONNECTIONS_MAX, connectionTimeoutMillis: STATEMENT_MS },
    ...{ statement_timeout: statement_ms, query_timeout: 2 * statement_ms },
  };
  return ledgerPool(config, ({ name }) => log.warn({ fault: name }, 'a connection to the ledger was lost'));
}

const ofModes = <Value>(make: (mode: Mode) => Value): Record<Mode, Value> => ({
  test: make('test'),
  live: make('live'),
});

const chainsOf = ({ chains }: SignerSettings): Record<Mode, SignerChain> =>
  ofModes((mode) => {
    const { rpc_urls, genesis_hash }: ChainSettings = chains[mode];
    const nodes = new ChainNodes(rpc_urls.map(httpNode), genesis_hash);
    return new SignerChain({ mode, nodes });
  });

const rulesOf = ({ chains, limits }: SignerSettings): Record<Mode, Rules> =>
  ofModes((mode) => ({
    ...{ mints: chains[mode].mints, ...limits },
    priority_lamports_max: PRIORITY_LAMPORTS_MAX,
  }));
