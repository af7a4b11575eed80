import type { PostgresReadModels } from '@tender/adapter-postgres';
import type { RunningTelemetry, TelemetryOptions } from '@tender/adapter-telemetry';
import { noTelemetry, type Telemetry } from '@tender/eventing';

/** Loads the exporters only where an operator has set one up: they cost memory and a tenth of a second. */
export async function openTelemetry(options: TelemetryOptions): Promise<RunningTelemetry> {
  if (options.metrics_port === null && options.otlp_endpoint === null) {
    return { ...noTelemetry, metrics_port: null, close: () => Promise.resolve() };
  }
  const { startTelemetry } = await import('@tender/adapter-telemetry');
  return startTelemetry(options);
}

/** Whether work waits for the database. */
export function watchConnections(
  telemetry: Telemetry,
  readModels: Pick<PostgresReadModels, 'connections'>,
): void {
  telemetry.watch('tender_read_model_connections', () =>
    Object.entries(readModels.connections()).map(([state, value]) => {
      return { value, labels: { state } };
    }),
  );
}
