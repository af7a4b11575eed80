import 'reflect-metadata';
import { houseOf } from '@tender/contracts';
import { readWholeNumber } from '@tender/eventing';
import {
  readGatewaySettings,
  runServing,
  type RunServiceOptions,
  type ServeOptions,
  type ServiceSettings,
} from '@tender/runtime';
import { startGateway } from './start-gateway';

/** Runs the gateway until a signal stops it. */
export const runGateway = (options?: RunServiceOptions): Promise<void> =>
  runServing(houseOf('gateway'), serveGateway, options);

async function serveGateway(service: ServiceSettings, options: ServeOptions) {
  const gateway = readGatewaySettings(options.env, service.data_dir);
  const internal_port = readWholeNumber(options.env, 'INTERNAL_PORT', 8081, 0, 65_535);
  const running = await startGateway({ ...service, ...gateway, internal_port }, options);
  return { ...running, admin_token: gateway.admin_token };
}
