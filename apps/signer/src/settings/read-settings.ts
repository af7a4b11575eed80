import { isAbsolute } from 'node:path';
import type { Mode } from '@tender/kernel';
import type { ApprovalOrigin } from '@tender/signer-domain';
import type { HostedRole } from '@tender/threshold';
import { LOG_LEVELS, type LogLevel } from '../log';
import { readApproval } from './approval-settings';
import { readChains, type ChainSettings } from './chain-settings';
import { readLimits, type LimitSettings } from './limit-settings';
import { readListening, type ListenSettings } from './listen-settings';
import { refuseSecrets } from './no-secrets';
import { readPinnedKeys, type PinnedKeys } from './pinned-keys';
import { required, SettingsFault, type Env } from './settings-fault';

/** Which signer this is, and where its files are. */
export interface SignerPlace {
  readonly role: HostedRole;
  readonly dir: string;
}

export interface SignerSettings extends SignerPlace {
  readonly listen: ListenSettings;
  /** Without a password: that is in a file. */
  readonly database_url: string;
  readonly pinned: PinnedKeys;
  readonly chains: Readonly<Record<Mode, ChainSettings>>;
  readonly limits: LimitSettings;
  readonly approval: ApprovalOrigin;
  /** The open descriptor of a pipe that brings the key-encryption key; null: it is a file. */
  readonly kek_fd: number | null;
  /** The least that is logged. */
  readonly log_level: LogLevel;
}

/** `SIGNER_ROLE` and `SIGNER_DIR`. */
export function readPlace(env: Env): SignerPlace {
  refuseSecrets(env);
  const role = required(env, 'SIGNER_ROLE', 'A or B, the share that this signer holds.');
  if (role !== 'A' && role !== 'B') {
    throw new SettingsFault(`SIGNER_ROLE is "${role}": it takes A or B.`);
  }
  const dir = required(env, 'SIGNER_DIR', 'the folder of this signer’s own files (mode 0700).');
  if (!isAbsolute(dir)) throw new SettingsFault(`SIGNER_DIR is "${dir}": it takes a whole path.`);
  return { role, dir };
}

/** All settings of a signer that serves. Throws `SettingsFault`, which names the variable and the way out. */
export function readSettings(env: Env): SignerSettings {
  const place = readPlace(env);
  const chains = readChains(env);
  const settings: SignerSettings = {
    ...place,
    chains,
    listen: readListening(env),
    database_url: readDatabase(env),
    pinned: readPinnedKeys(env, chains.live.is_local),
    limits: readLimits(env),
    approval: readApproval(env, chains.live.is_local),
    kek_fd: readDescriptor(env, 'KEK_FD'),
    log_level: readLogLevel(env),
  };
  refuseInLive(settings);
  return settings;
}

/** What a signer keeps, without what it serves with. */
export type KeptSettings = SignerPlace & Pick<SignerSettings, 'database_url' | 'kek_fd'>;

export const readKept = (env: Env): KeptSettings => ({
  ...readPlace(env),
  database_url: readDatabase(env),
  kek_fd: readDescriptor(env, 'KEK_FD'),
});

export interface RotationSettings extends KeptSettings {
  /** Null where the old key is a file: so is the new one. */
  readonly new_kek_fd: number | null;
}

/** `KEK_FD` and `NEW_KEK_FD`, with the place and the ledger. */
export function readRotation(env: Env): RotationSettings {
  const kept = readKept(env);
  const { kek_fd } = kept;
  const new_kek_fd = readDescriptor(env, 'NEW_KEK_FD');
  if ((kek_fd === null) !== (new_kek_fd === null) || (kek_fd !== null && kek_fd === new_kek_fd)) {
    throw new SettingsFault(
      'KEK_FD and NEW_KEK_FD go together, a pipe each: the old key and the new one both come so, or neither.',
    );
  }
  return { ...kept, new_kek_fd };
}

function readDatabase(env: Env): string {
  const name = 'SIGNER_DATABASE_URL';
  const example = 'postgres://signer_a@127.0.0.1:5432/signer_a';
  const text = required(env, name, `the database of this signer alone, such as ${example}.`);
  if (!URL.canParse(text) || !/^postgres(?:ql)?:$/.test(new URL(text).protocol)) {
    throw new SettingsFault(`${name} is no URL of a Postgres, such as ${example}.`);
  }
  const { password, username, pathname } = new URL(text);
  if (password) {
    throw new SettingsFault(
      `${name} holds a password: leave it out; it is the file \`database-password\` in SIGNER_DIR.`,
    );
  }
  if (!username || pathname.length < 2) {
    throw new SettingsFault(`${name} names a role and a database, such as ${example}.`);
  }
  return text;
}

function readDescriptor(env: Env, name: string): number | null {
  const text = env[name];
  if (!text) return null;
  if (/^(?:[3-9]|[1-9]\d)$/.test(text)) return Number(text);
  throw new SettingsFault(`${name} is "${text}": it takes the number of an inherited pipe, such as 3.`);
}

function readLogLevel(env: Env): LogLevel {
  const text = env['LOG_LEVEL'] || 'warn';
  const found = LOG_LEVELS.find((level) => level === text);
  if (found) return found;
  throw new SettingsFault(`LOG_LEVEL is "${text}": it takes ${LOG_LEVELS.join(', ')}.`);
}

/** Money of value is never under a key that lies beside it. */
function refuseInLive({ chains, kek_fd }: SignerSettings): void {
  if (chains.live.is_local || kek_fd !== null) return;
  throw new SettingsFault(
    'KEK_FD is not set, and live is no local chain: a key-encryption key in a file is for local chains alone. ' +
      'Hand the key in through a pipe (KEK_FD=3), or name the local chain with SOLANA_GENESIS_LIVE.',
  );
}
