import { jsonLog } from '@tender/adapter-system';
import type { Env } from '@tender/eventing';
import type { Decorate } from '../open-tables';
import { openDataDir } from '../settings/data-dir';
import {
  readServiceSettings,
  type Neighbours,
  type ServiceSettings,
} from '../settings/service-settings';
import { openTelemetry } from '../telemetry';
import type { ServeOptions } from './open-service';
import { runUntilStopped } from './run-until-stopped';
import { serveService, type RunningService, type Service } from './serve-service';

export interface RunServiceOptions {
  /** Puts something between the service and its ports; tests only. */
  readonly decorate?: Decorate;
}

/** A process that is ended because its work has not stopped need not be given time for that once more. */
const MUST_END_WITHIN_MS = 1_000;

/** The `main.ts` of a service: runs it until a signal or its parent process stops it. */
export const runService = (service: Service, options?: RunServiceOptions): Promise<void> =>
  runServing(service, (settings, observed) => serveService(service, settings, observed), options);

/** The same for a process that is made otherwise. A parent process is sent what `serve` answers, but for `stop`. */
export async function runServing<Running extends RunningService>(
  neighbours: Neighbours,
  serve: (settings: ServiceSettings, options: ServeOptions) => Promise<Running>,
  { decorate }: RunServiceOptions = {},
): Promise<void> {
  const { name } = neighbours;
  const env: Env = process.env;
  await runUntilStopped(
    name,
    async (end) => {
      const settings = readServiceSettings(env, neighbours);
      openDataDir(settings.data_dir);
      const log = jsonLog({ level: settings.log_level });
      const telemetry = await openTelemetry({ service: name, log, ...settings });
      const stuck = (): void => {
        log.error({ service: name }, 'the work of this replica did not stop when it lost the lease: it ends');
        end(MUST_END_WITHIN_MS);
      };
      const running = await serve(settings, { env, log, telemetry, stuck, decorate });
      return {
        ...running,
        metrics_port: telemetry.metrics_port,
        async stop() {
          await running.stop();
          await telemetry.close();
        },
      };
    },
    async ({ stop: _, ...told }) => {
      process.send?.({ type: 'ready', ...told });
    },
  );
}
