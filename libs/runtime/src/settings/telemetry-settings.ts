import { readUrl, readWholeNumber, type Env } from '@tender/eventing';

/** Where a process tells of itself. */
export interface TelemetrySettings {
  /** Null: nothing is scraped. 0 takes any free port. */
  readonly metrics_port: number | null;
  /** Null: no traces leave. */
  readonly otlp_endpoint: string | null;
}

/** Throws `SettingsFault`. */
export const readTelemetrySettings = (env: Env): TelemetrySettings => ({
  metrics_port: env.METRICS_PORT ? readWholeNumber(env, 'METRICS_PORT', 0, 0, 65_535) : null,
  otlp_endpoint: readUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
});
