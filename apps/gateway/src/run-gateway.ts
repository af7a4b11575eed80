import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { readGatewaySettings, runServing, type RunServiceOptions } from '@tender/runtime';
import { startGateway } from './start-gateway';

/** Runs the gateway until it is told to stop. */
export const runGateway = (options: RunServiceOptions = {}): Promise<void> =>
  runServing('gateway', options, async (service, observed) => {
    mkdirSync(service.data_dir, { recursive: true, mode: 0o700 });
    const gateway = readGatewaySettings(process.env, service.data_dir);
    const running = await startGateway({ ...service, ...gateway }, observed);
    return { ...running, admin_token: gateway.admin_token };
  });
