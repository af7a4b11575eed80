import path from 'node:path';
import { KEY_DIRECTORY, openKeyDirectory, openSessions, openSetups, SESSIONS } from '@tender/accounts-features';
import { COMPOSITION } from '@tender/composition';
import { allRoutes, FEE_KEY_FILES } from '@tender/contracts';
import { edgeServerOptions, gatewayTables, mountEdge, type EdgeOptions } from '@tender/edge';
import { followClock, type Keep } from '@tender/eventing';
import { openContexts, settingsOf, type Place } from '@tender/http';
import {
  atEndOfTurn,
  BusTransport,
  embedded,
  jsonLog,
  localSigners,
  localFeeWallets,
  openApp,
  openOwnLog,
  openTelemetry,
  readSecretFile,
  readSignerSettings,
  realDelays,
  signersWhenAsked,
  startWorkThread,
  type AppParts,
  type Closer,
  type Decorate,
  type EmbeddedRuntime,
  type OwnLog,
  type StartedWorkThread,
  type SystemClock,
  type Working,
} from '@tender/runtime';
import { programParts } from './program-parts';
import type { GivenWork } from './run-work';
import { serveApproval } from './serve-approval';
import type { Settings } from './settings';
import { startChains, type Chains } from './start-chains';
import { workOf } from './work-of';

export interface StartOptions {
  /** Puts something between the program and its ports; tests only. */
  readonly decorate?: Decorate;
  /** How the processes are kept that this program starts. */
  readonly keep: Keep;
  /** The program of the thread that does the work; its own unless told. */
  readonly work_main?: string;
  readonly trial?: NonNullable<EdgeOptions['trial']>;
}

export interface EmbeddedProgram {
  readonly url: string;
  /** The origin of the pages on which signing passkeys are used. */
  readonly approval_url: string;
  readonly local_rpc_urls: Chains['local_rpc_urls'];
  readonly connection_string: string;
  /** Where metrics are served, if they are: each thread has its own. */
  readonly metrics_ports: readonly number[];
  stop(): Promise<void>;
}

const CONTEXTS = Object.values(COMPOSITION);
const WORK_MAIN = path.resolve(__dirname, '../../../dist/embedded-work.js');

/** Starts every context in this process; whatever it started is stopped again when a later part fails. */
export async function startEmbedded(
  settings: Settings,
  { decorate, keep, work_main = WORK_MAIN, trial = async () => null }: StartOptions,
): Promise<EmbeddedProgram> {
  const closers: Closer[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const place = { url: settings.public_url ?? '', approval_url: '', secretFile: readSecretFile };
    // First of all: the signers have to know it when they start.
    place.approval_url = await serveApproval(settings, () => place.url, closers);
    const env = { ...process.env, APPROVAL_URL: place.approval_url };
    const { data_dir } = settings;
    const fee_wallets = localFeeWallets({ env, data_dir, settings: FEE_KEY_FILES });
    const providers = settingsOf(CONTEXTS, { ...env, ...fee_wallets.env }, place);
    const log = jsonLog({ level: settings.log_level });
    const telemetry = await openTelemetry({ service: 'embedded', log, ...settings });
    closers.push(() => telemetry.close());
    const { master_key, webhook_allow_loopback, database_url, mail } = settings;
    const signing = await localSigners({ env, data_dir, database_url, log });
    const started: Started = { connection_string: '', chains: null, thread: null };
    const start = () => signing.start({ ...started, networks: networksOf(started), keep });
    const signers = signersWhenAsked({ start, delays: realDelays, log });
    const all_env = { ...env, ...fee_wallets.env, ...signing.env };
    const beginThread = (clock: SystemClock, { connection_string, eventLog }: OwnLog) =>
      startWorkThread({
        ...{ main: work_main, env: all_env, eventLog, clock, mail: () => runtime.mail },
        awakenSigners: signers.awaken,
        given: {
          ...{ settings: ofThread(settings), connection_string },
          ...{ networks: networksOf(started), approval_url: place.approval_url },
        } satisfies GivenWork,
      });
    const runtime = await embedded<OwnLog>(
      {
        ...{ master_key, webhook_allow_loopback, data_dir, mail, log, telemetry },
        signers: readSignerSettings({ ...env, ...signing.env }, data_dir),
        awakenSigners: signers.awaken,
        openLog: (...opening) =>
          openOwnLog({ data_dir, database_url, roles: signing.roles, keep, log }, ...opening),
        async chains(clock, opened) {
          const chains = await startChains(settings, log, keep, fee_wallets);
          closers.push(() => chains.stop());
          Object.assign(started, { chains, connection_string: opened.connection_string });
          if (settings.work_thread) started.thread = beginThread(clock, opened);
          // Where the start fails before more is done about it: the thread ends first, then the signers that it asks.
          closers.push(() => signing.stop(), async () => started.thread?.stop());
          return chains.settings;
        },
        calls: (local) => started.thread?.calls(local) ?? local,
      },
      CONTEXTS,
      [gatewayTables],
      decorate,
    );
    closers.push(() => runtime.close());
    const { local = null, local_rpc_urls = [] } = started.chains ?? {};
    closers.push(() => signing.stop());
    // Beside the rest of the start: the first question to a signer waits until it serves.
    const awake = signing.starts_at_once ? signers.awaken() : null;
    awake?.catch(() => undefined);
    const { offset_ms, follower } = await followClock(runtime.eventStore, runtime.clock);
    closers.push(() => follower.stop());
    if (offset_ms > 0) await local?.setOffset(offset_ms);

    const funded = started.chains?.fundFeeWallets();
    const { thread } = started;
    const served = { settings, runtime, localChain: local, providers, place, trial, thread };
    const url = await serve(served, closers);
    closers.push(() => signers.refuse());
    await Promise.all([funded, awake]);
    place.url ||= url;
    thread?.listensAt(place.url);
    return {
      url,
      approval_url: place.approval_url,
      local_rpc_urls,
      connection_string: runtime.connection_string,
      metrics_ports: portsOf([telemetry, await thread?.working]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Its metrics are at the next port. */
const ofThread = (settings: Settings): Settings => ({
  ...settings,
  metrics_port: settings.metrics_port && settings.metrics_port + 1,
});

const portsOf = (threads: readonly (Working | undefined)[]): readonly number[] =>
  threads.flatMap((thread) => thread?.metrics_port ?? []);

/** What is there before the runtime is: the thread of the work may ask a signer by then. */
interface Started {
  connection_string: string;
  chains: Chains | null;
  thread: StartedWorkThread | null;
}

const networksOf = ({ chains }: Started) => chains?.networks ?? null;

interface Served {
  /** Null where the work goes on in this thread. */
  readonly thread: StartedWorkThread | null;
  readonly settings: Settings;
  readonly runtime: EmbeddedRuntime;
  readonly localChain: Chains['local'];
  /** The settings of the contexts. */
  readonly providers: AppParts['providers'];
  readonly place: Place;
  readonly trial: NonNullable<EdgeOptions['trial']>;
}

/** Answers with the URL that is listened on. */
async function serve(
  { settings, runtime, localChain, providers, place, trial, thread }: Served,
  closers: Closer[],
): Promise<string> {
  const opened = openContexts(CONTEXTS, runtime);
  const transport = new BusTransport(runtime.bus);
  const here = workOf(runtime, opened, transport);
  const { stage } = thread ?? here;
  const directory = openKeyDirectory(runtime, { alone: true });
  closers.push(() => directory.close());
  const sessions = openSessions(runtime, directory, place);

  const app = await openApp({
    server: edgeServerOptions(),
    ...{ runtime, transport, data_dir: settings.data_dir },
    ...programParts({
      runtime,
      stage,
      localChain: settings.test_helpers ? localChain : null,
      others: [
        ...providers,
        ...opened.providers,
        { provide: KEY_DIRECTORY, useValue: directory },
        { provide: SESSIONS, useValue: sessions },
      ],
    }),
  });
  const edge = mountEdge(app.fastify, {
    ...{ routes: allRoutes, runtime, keys: directory, sessions, delays: realDelays, atEndOfTurn },
    setups: openSetups(runtime, directory),
    approval_url: () => place.approval_url,
    ready: () => app.ready(),
    alone: true,
    error_page: COMPOSITION.checkout.error_page,
    trial,
    config: {
      ...settings,
      test_helpers: settings.test_helpers && localChain !== null,
      ...(localChain ? { limits_way_out: ', or start with RATE_LIMITS=off' } : {}),
    },
  });
  // Answers that are to be kept reach their table after the last request was answered.
  closers.push(() => edge.close());
  closers.push(() => app.end());

  if (thread) {
    closers.push(() => thread.stop());
    await thread.working;
  } else {
    await app.startReactors();
    const led = await here.work.start();
    closers.push(() => led.stop());
  }
  const url = await app.listen(settings);
  closers.push(() => app.unready());
  return url;
}
