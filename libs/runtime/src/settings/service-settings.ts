import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  LOG_LEVELS,
  readDatabaseUrl,
  readEventStoreUrl,
  readFlag,
  readOneOf,
  readRequired,
  readUrls,
  readWholeNumber,
  SettingsFault,
  type Env,
  type LocalNetwork,
} from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { chainSettings, type ChainSettings, type LocalNetworkSettings } from '../chain-settings';
import { readOutsideChains } from './outside-chains';
import { readOrigin, readPublicUrl } from './origins';
import { readKafkaSettings, type KafkaSettings } from './kafka-settings';
import { readMailWay, type MailWay } from './mail-settings';
import { readSignerSettings, type SignerSettings } from './signer-settings';
import { readTelemetrySettings, type TelemetrySettings } from './telemetry-settings';

/** What is set for every process of the distributed run; the names are those of docs/operations.md. */
export interface ServiceSettings extends TelemetrySettings, KafkaSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log_level: (typeof LOG_LEVELS)[number];
  /** Holds the key files; one folder for all processes. */
  readonly data_dir: string;
  readonly master_key: string | null;
  /** Read models, and the log where there is no EventStoreDB. */
  readonly database_url: string;
  readonly eventstore_url: string | null;
  readonly internal_secret: string;
  /** Origins of the replicas of every service, by its name. */
  readonly services: ReadonlyMap<string, readonly string[]>;
  readonly chains: Readonly<Record<Mode, ChainSettings>>;
  /** Null as soon as one network is outside. */
  readonly local_networks: Readonly<Record<Mode, LocalNetwork>> | null;
  readonly webhook_allow_loopback: boolean;
  readonly mail: MailWay;
  /** Of operating wallets; null where there are none, and in services that ask no signers. */
  readonly signers: SignerSettings | null;
  /** Where clients reach the program; without a slash at the end. */
  readonly public_url: string;
  /** The origin of the pages on which merchants use passkeys that sign; without a slash at the end. */
  readonly approval_url: string;
}

/** A service among those that it may ask, of which it is one: a replica may have to ask the one that leads. */
export interface Neighbours {
  readonly name: string;
  /** Every service, and the setting that names where it is reached by the others. */
  readonly addresses: ReadonlyMap<string, string>;
  /** One of its contexts writes to people: no other service gets the settings of the mail server. */
  readonly sends_mail: boolean;
  /** One of its contexts has shares of wallets signed with: no other service knows where the signers are. */
  readonly asks_signers: boolean;
}

const SECRET_LENGTH_MIN = 32;

/** Reads and checks the environment of a service; every `SettingsFault` names the variable and what it takes. */
export function readServiceSettings(env: Env, neighbours: Neighbours): ServiceSettings {
  const database_url = readDatabaseUrl(env);
  if (database_url === null) {
    throw new SettingsFault('DATABASE_URL is not set. It names the Postgres of the read models.');
  }
  const internal_secret = readRequired(env, 'INTERNAL_SECRET', 'All processes share one.');
  if (internal_secret.length < SECRET_LENGTH_MIN) {
    throw new SettingsFault(
      `INTERNAL_SECRET must have ${SECRET_LENGTH_MIN} characters or more that nobody can guess.`,
    );
  }
  const data_dir = path.resolve(env.DATA_DIR || '.data');
  const outside = readOutsideChains(env);
  const local = readLocalNetworks(env);
  return {
    host: env.HOST || '127.0.0.1',
    port: readWholeNumber(env, 'PORT', 8080, 0, 65_535),
    log_level: readOneOf(env, 'LOG_LEVEL', LOG_LEVELS),
    data_dir,
    master_key: env.MASTER_KEY || null,
    database_url,
    eventstore_url: readEventStoreUrl(env),
    ...readKafkaSettings(env),
    internal_secret,
    services: readAddresses(env, neighbours),
    chains: chainSettings(outside, local),
    local_networks: MODES.some((mode) => outside.rpc_urls[mode].length > 0) ? null : local,
    webhook_allow_loopback: readFlag(env, 'WEBHOOK_ALLOW_LOOPBACK', false),
    mail: neighbours.sends_mail
      ? readMailWay(env, outside.rpc_urls.live.length > 0)
      : 'waits',
    signers: neighbours.asks_signers ? readSignerSettings(env, data_dir) : null,
    public_url: readPublicUrl(env),
    approval_url: readOrigin(env, 'APPROVAL_URL', 'the pages are on which merchants use passkeys that sign'),
    ...readTelemetrySettings(env),
  };
}

/** Without its address a service would never be heard, and everything that it is asked for would be 503. */
function readAddresses(env: Env, { addresses }: Neighbours): ServiceSettings['services'] {
  return new Map(
    [...addresses].map(([service, setting]) => {
      const urls = readUrls(env, setting);
      if (urls.length > 0) return [service, urls];
      throw new SettingsFault(`${setting} is not set. It names where ${service} is reached.`);
    }),
  );
}

type LocalNetworks = Readonly<Record<Mode, LocalNetworkSettings>>;

/** LOCALNET names the file in which the process of the local chains describes them. */
function readLocalNetworks(env: Env): LocalNetworks | null {
  if (!env.LOCALNET) return null;
  try {
    return JSON.parse(readFileSync(env.LOCALNET, 'utf8')) as LocalNetworks;
  } catch {
    throw new SettingsFault(`LOCALNET is ${env.LOCALNET}, which does not describe local networks.`);
  }
}
