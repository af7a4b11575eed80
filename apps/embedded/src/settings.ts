import {
  LOG_LEVELS,
  readDatabaseUrl,
  readFlag,
  readOneOf,
  readUrl,
  readWholeNumber,
} from '@tender/eventing';
import {
  readDataDir,
  readGatewaySettings,
  readMailWay,
  readMetricsPorts,
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
  /** Of the pages on which merchants use passkeys that sign; 0 takes any free port. */
  readonly approval_port: number;
  /** Where browsers reach those pages, as an origin; null: as `localhost`, on that port. */
  readonly approval_url: string | null;
  /** Followers, reactors and workers run in a thread of their own. */
  readonly work_thread: boolean;
  readonly log_level: (typeof LOG_LEVELS)[number];
}

/** Reads and checks the environment; every fault names the variable and what it takes. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const data_dir = readDataDir(env, '.data');
  const outside = readOutsideChains(env);
  const live_outside = outside.rpc_urls.live.length > 0;
  const port = readWholeNumber(env, 'PORT', 8080, 0, 65_535);
  const approval_port = readWholeNumber(env, 'APPROVAL_PORT', port === 0 ? 0 : 8090, 0, 65_535);
  const work_thread = readFlag(env, 'WORK_THREAD', true);
  const each_thread = { count: 2, called: 'threads', beside: { PORT: port, APPROVAL_PORT: approval_port } };
  return {
    host: env.HOST || '127.0.0.1',
    port,
    approval_port,
    data_dir,
    ...readGatewaySettings(env, data_dir),
    webhook_allow_loopback: readFlag(env, 'WEBHOOK_ALLOW_LOOPBACK', !live_outside),
    mail: readMailWay(env, live_outside),
    database_url: readDatabaseUrl(env),
    outside,
    master_key: env.MASTER_KEY || null,
    public_url: readUrl(env, 'PUBLIC_URL')?.replace(/\/$/, '') ?? null,
    approval_url: readUrl(env, 'APPROVAL_URL')?.replace(/\/$/, '') ?? null,
    work_thread,
    log_level: readOneOf(env, 'LOG_LEVEL', LOG_LEVELS),
    ...readTelemetrySettings(env),
    ...(work_thread ? { metrics_port: readMetricsPorts(env, each_thread) } : {}),
  };
}
