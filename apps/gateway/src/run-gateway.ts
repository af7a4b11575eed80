import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import {
  jsonLog,
  openTelemetry,
  readGatewaySettings,
  readServiceSettings,
  runUntilStopped,
  type Faultable,
} from '@tender/runtime';
import { startGateway } from './start-gateway';

export interface RunGatewayOptions {
  /** Puts something between the gateway and its ports; tests only. */
  readonly decorate?: (parts: Faultable) => Faultable;
}

/** Runs the gateway until it is told to stop. */
export async function runGateway({ decorate }: RunGatewayOptions = {}): Promise<void> {
  await runUntilStopped(
    'gateway',
    async (end) => {
      const service = readServiceSettings(process.env);
      mkdirSync(service.data_dir, { recursive: true, mode: 0o700 });
      const gateway = readGatewaySettings(process.env, service.data_dir);
      const log = jsonLog({ level: service.log_level });
      const lost = (): void => {
        log.warn({ service: 'gateway' }, 'this process no longer leads, and ends');
        end();
      };
      const telemetry = await openTelemetry({ service: 'gateway', log, ...service });
      const observed = { log, telemetry, lost, decorate };
      const running = await startGateway({ ...service, ...gateway }, observed);
      return {
        url: running.url,
        admin_token: gateway.admin_token,
        metrics_port: telemetry.metrics_port,
        async stop() {
          await running.stop();
          await telemetry.close();
        },
      };
    },
    async ({ url, admin_token, metrics_port }) => {
      process.send?.({ type: 'ready', url, admin_token, metrics_port });
    },
  );
}
