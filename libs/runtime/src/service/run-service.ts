import { jsonLog } from '@tender/adapter-system';
import type { Faultable } from '../embedded';
import { readServiceSettings } from '../settings/service-settings';
import { openTelemetry } from '../telemetry';
import { runUntilStopped } from './run-until-stopped';
import { serveService, type Service } from './serve-service';

export interface RunServiceOptions {
  /** Puts something between the service and its ports; tests only. */
  readonly decorate?: (parts: Faultable) => Faultable;
}

/** The `main.ts` of a service: runs it until it is told to stop, or another replica has taken its place. */
export async function runService(service: Service, options: RunServiceOptions = {}): Promise<void> {
  await runUntilStopped(
    service.name,
    async (end) => {
      const settings = readServiceSettings(process.env);
      const log = jsonLog({ level: settings.log_level });
      const telemetry = await openTelemetry({ service: service.name, log, ...settings });
      const lost = (): void => {
        log.warn({ service: service.name }, 'this process no longer leads, and ends');
        end();
      };
      const observed = { log, telemetry, lost, decorate: options.decorate };
      const running = await serveService(service, settings, observed);
      return {
        ...running,
        metrics_port: telemetry.metrics_port,
        async stop() {
          await running.stop();
          await telemetry.close();
        },
      };
    },
    async ({ url, metrics_port }) => {
      process.send?.({ type: 'ready', url, metrics_port });
    },
  );
}
