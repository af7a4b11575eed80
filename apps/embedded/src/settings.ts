import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  LOG_LEVELS,
  readDatabaseUrl,
  readFlag,
  readOneOf,
  readUrl,
  readWholeNumber,
  SettingsFault,
} from '@tender/eventing';
import {
  readGatewaySettings,
  readMailWay,
  readOutsideChains,
  readTelemetrySettings,
  type GatewaySettings,
  type MailWay,
  type OutsideChains,
  type TelemetrySettings,
} from '@tender/runtime';

/** The settings of `npm start`; the names are specification §5. */
export interface Settings extends GatewaySettings, TelemetrySettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly data_dir: string;
  readonly webhook_allow_loopback: boolean;
  readonly mail: MailWay;
  readonly database_url: string | null;
  readonly outside: OutsideChains;
  readonly master_key: string | null;
  readonly public_url: string | null;
  readonly log_level: (typeof LOG_LEVELS)[number];
}

/** Reads and checks the environment; every fault names the variable and what it takes. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const data_dir = path.resolve(env.DATA_DIR || '.data');
  makeFolder(data_dir);
  const outside = readOutsideChains(env);
  const live_outside = outside.rpc_urls.live.length > 0;
  return {
    host: env.HOST || '127.0.0.1',
    port: readWholeNumber(env, 'PORT', 8080, 0, 65_535),
    data_dir,
    ...readGatewaySettings(env, data_dir),
    webhook_allow_loopback: readFlag(env, 'WEBHOOK_ALLOW_LOOPBACK', !live_outside),
    mail: readMailWay(env, live_outside),
    database_url: readDatabaseUrl(env),
    outside,
    master_key: env.MASTER_KEY || null,
    public_url: readUrl(env, 'PUBLIC_URL')?.replace(/\/$/, '') ?? null,
    log_level: readOneOf(env, 'LOG_LEVEL', LOG_LEVELS),
    ...readTelemetrySettings(env),
  };
}

function makeFolder(data_dir: string): void {
  try {
    mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  } catch {
    throw new SettingsFault(
      `DATA_DIR is ${data_dir}, which cannot be made a folder. Name another.`,
    );
  }
}
