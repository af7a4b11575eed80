import { KEY_DIRECTORY, openKeyDirectory, openSessions, SESSIONS } from '@tender/accounts-features';
import { handedEventStore } from '@tender/adapter-postgres';
import { COMPOSITION } from '@tender/composition';
import { edgeServerOptions, gatewayTables } from '@tender/edge';
import { followClock } from '@tender/eventing';
import { openContexts, settingsOf } from '@tender/http';
import type { LocalnetNetworks } from '@tender/localnet';
import {
  BusTransport,
  chainSettings,
  embedded,
  jsonLog,
  openApp,
  openTelemetry,
  readSecretFile,
  readSignerSettings,
  realDelays,
  runWorkThread,
  type Closer,
  type Decorate,
  type EmbeddedRuntime,
  type Requests,
  type RunningWork,
} from '@tender/runtime';
import { programParts } from './program-parts';
import type { Settings } from './settings';
import { workOf } from './work-of';

/** What the thread of the work is given at its start. */
export interface GivenWork {
  readonly settings: Settings;
  readonly connection_string: string;
  readonly networks: LocalnetNetworks | null;
  readonly approval_url: string;
}

const CONTEXTS = Object.values(COMPOSITION);
/** A quote asks the database no more often: rates are set in the other thread. */
const RATES_KEPT_MS = 250;

/** Runs, in a thread of its own, what the program does beside its requests. */
export const runWork = (decorate?: Decorate): Promise<void> =>
  runWorkThread<GivenWork>((given, requests) => startWork(given, requests, decorate));

async function startWork(
  given: GivenWork,
  { writer, mail, awakenSigners }: Requests,
  decorate: Decorate | undefined,
): Promise<RunningWork> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const { settings, connection_string: connectionString, networks, approval_url } = given;
    const place = { url: settings.public_url ?? '', approval_url, secretFile: readSecretFile };
    const log = jsonLog({ level: settings.log_level });
    const telemetry = await openTelemetry({ service: 'embedded-work', log, ...settings });
    closers.push(() => telemetry.close());
    const opened: { eventLog: ReturnType<typeof handedEventStore> | null } = { eventLog: null };
    const { master_key, webhook_allow_loopback, data_dir } = settings;
    const runtime = await embedded(
      {
        ...{ master_key, webhook_allow_loopback, data_dir, log, telemetry },
        mail: settings.mail === 'inbox' ? mail : settings.mail,
        signers: readSignerSettings(process.env, data_dir),
        awakenSigners,
        rates_kept_ms: RATES_KEPT_MS,
        async openLog(clock, ends) {
          const eventLog = handedEventStore({ writer, connectionString, clock, log });
          await eventLog.start();
          ends.push(() => eventLog.close());
          opened.eventLog = eventLog;
          return { connection_string: connectionString, eventLog };
        },
        chains: async () => chainSettings(settings.outside, networks),
      },
      CONTEXTS,
      [gatewayTables],
      decorate,
    );
    closers.push(() => runtime.close());
    const { follower } = await followClock(runtime.eventStore, runtime.clock);
    closers.push(() => follower.stop());
    const stage = await begin(settings, runtime, place, closers);
    const { local_calls, clock } = runtime;
    const eventLog = opened.eventLog as NonNullable<typeof opened.eventLog>;
    const listensAt = (url: string) => void (place.url ||= url);
    const { metrics_port } = telemetry;
    return { eventLog, local_calls, clock, stage, metrics_port, listensAt, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Everything that follows and works, over its ports. */
async function begin(
  settings: Settings,
  runtime: EmbeddedRuntime,
  place: Parameters<typeof settingsOf>[2],
  closers: Closer[],
) {
  const opened = openContexts(CONTEXTS, runtime);
  const transport = new BusTransport(runtime.bus);
  const { work, stage } = workOf(runtime, opened, transport);
  const directory = openKeyDirectory(runtime, {
    alone: false,
    delays: realDelays,
    elapsed_ms: () => performance.now(),
  });
  closers.push(() => directory.close());
  const app = await openApp({
    server: edgeServerOptions(),
    ...{ runtime, transport, data_dir: settings.data_dir },
    ...programParts({
      ...{ runtime, stage, localChain: null },
      others: [
        ...settingsOf(CONTEXTS, process.env, place),
        ...opened.providers,
        { provide: KEY_DIRECTORY, useValue: directory },
        { provide: SESSIONS, useValue: openSessions(runtime, directory, place) },
      ],
    }),
  });
  closers.push(() => app.end());
  await app.answer();
  await app.startReactors();
  const led = await work.start();
  closers.push(() => led.stop());
  return stage;
}
