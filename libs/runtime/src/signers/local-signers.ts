import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, type Signer } from '@tender/adapter-postgres-server';
import type { ChildRun, Env, Keep, Kept, Log } from '@tender/eventing';
import { keptText } from '../settings/kept-text';
import { readOwnDatabases, whyNoSigners } from './own-databases';
import { ownKeys, type OwnKeys } from './own-keys';
import { signerEnvironment, type SignerNetworks, type SignerPlace } from './signer-environment';
import { keptSigner } from './kept-signer';
import { askIdentity, startSigner, type SignerIdentity } from './signer-program';

export interface LocalSignersOptions {
  readonly env: Env;
  readonly data_dir: string;
  /** The operator’s Postgres; null where the program starts one. */
  readonly database_url: string | null;
  readonly log: Log;
}

/** The signers of operating wallets, where the program that starts the rest starts them as well. */
export interface LocalSigners {
  /** Whom the Postgres must know: each has a database of its own, and it alone its password. */
  readonly roles: readonly Signer[];
  /** The settings of treasury that say where they are, and how it and they know each other. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Wallets may be under them, since they were started in this folder before; or the operator has made their
   * databases. Then what keeps them from serving is to be known at the start of the program.
   */
  readonly starts_at_once: boolean;
  /** Starts those that do not serve yet, side by side, and keeps them. Each time to the same surroundings. */
  start(to: SignersStart): Promise<readonly StartedSigner[]>;
  /** Ends those that serve or start. */
  stop(): Promise<void>;
}

export interface SignersStart {
  /** Of the Postgres that knows their roles. */
  readonly connection_string: string;
  /** The local chains; null where both modes have nodes outside. */
  readonly networks: SignerNetworks | null;
  readonly keep: Keep;
}

export interface StartedSigner {
  readonly name: string;
  readonly url: string;
  readonly kept: Kept<ChildRun>;
}

/**
 * Prepares what lies in the data folder: a folder for each, in which its own program makes what is secret, and the keys
 * by which they and treasury know each other.
 */
export async function localSigners(options: LocalSignersOptions): Promise<LocalSigners> {
  const { env, data_dir, database_url, log } = options;
  const elsewhere = Boolean(env['SIGNER_A_URL'] || env['SIGNER_B_URL']);
  const why = elsewhere ? null : whyNoSigners(env, database_url);
  if (why !== null) log.warn({ why }, 'operating wallets have no signers: they are not made');
  if (elsewhere || why !== null) return NO_SIGNERS;
  const [A, B] = await Promise.all([signerIn(data_dir, 'A'), signerIn(data_dir, 'B')]);
  const keys = await ownKeys(env, data_dir);
  const signers = [
    keptSigner((to) => startOne(A, B, { keys, to, options })),
    keptSigner((to) => startOne(B, A, { keys, to, options })),
  ];
  return {
    roles: database_url === null ? [A, B].map(roleOf) : [],
    env: {
      ...{ SIGNER_A_URL: A.url, SIGNER_A_IDENTITY: A.identity_key },
      ...{ SIGNER_B_URL: B.url, SIGNER_B_IDENTITY: B.identity_key },
      RECOVERY_PUBLIC_KEY: keys.recovery_key,
    },
    starts_at_once: readOwnDatabases(env) !== null || [A, B].some(wasStarted),
    start: (to) => Promise.all(signers.map((signer) => signer.start(to))),
    async stop() {
      await Promise.all(signers.map((signer) => signer.stop()));
    },
  };
}

/** Its program makes this key when it is first started, even where it does not come to serve. */
const wasStarted = ({ dir }: Prepared): boolean => existsSync(path.join(dir, 'kek'));

const NO_SIGNERS: LocalSigners = {
  ...{ roles: [], env: {}, starts_at_once: false },
  start: () => Promise.resolve([]),
  stop: () => Promise.resolve(),
};

/** What is known of a signer before it runs. */
interface Prepared extends SignerIdentity {
  readonly dir: string;
  readonly url: string;
}

async function signerIn(data_dir: string, role: 'A' | 'B'): Promise<Prepared> {
  const dir = path.join(data_dir, 'signers', role.toLowerCase());
  for (const folder of [path.dirname(dir), dir]) {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  }
  const identity = await identityIn(dir, role);
  return { ...identity, dir, url: `http://127.0.0.1:${await freePort()}` };
}

/** Asked once: what is public of it is kept beside what is secret. */
async function identityIn(dir: string, role: 'A' | 'B'): Promise<SignerIdentity> {
  const file = path.join(dir, 'public.json');
  if (!existsSync(file)) {
    const told = await askIdentity({ SIGNER_ROLE: role, SIGNER_DIR: dir });
    keptText(file, () => JSON.stringify(told, null, 2));
  }
  return JSON.parse(readFileSync(file, 'utf8')) as SignerIdentity;
}

/** Also of its database, and of its process with another hyphen. */
const nameOf = (role: 'A' | 'B'): string => `signer_${role.toLowerCase()}`;

const roleOf = ({ role, database_verifier }: SignerIdentity): Signer => ({
  role: nameOf(role),
  verifier: database_verifier,
});

interface Surroundings {
  readonly keys: OwnKeys;
  readonly to: SignersStart;
  readonly options: LocalSignersOptions;
}

async function startOne(
  { role, dir, url }: Prepared,
  peer: Prepared,
  { keys, to, options: { env } }: Surroundings,
): Promise<StartedSigner> {
  const { host } = new URL(to.connection_string);
  const place: SignerPlace = {
    ...{ role, dir, url, peer: peer.identity_key, networks: to.networks },
    ...{ treasury: keys.treasury, recovery_key: keys.recovery_key },
    database_url: readOwnDatabases(env)?.[role] ?? `postgres://${nameOf(role)}@${host}/${nameOf(role)}`,
  };
  const name = nameOf(role).replace('_', '-');
  const settings = signerEnvironment(place, env);
  return { name, url, kept: await to.keep(name, () => startSigner(name, settings)) };
}
