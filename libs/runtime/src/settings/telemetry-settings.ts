import { readUrl, readWholeNumber, SettingsFault, type Env } from '@tender/eventing';

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

/** Who serves metrics, each at a port of its own. */
export interface Scraped {
  readonly count: number;
  /** For people: `processes`. */
  readonly called: string;
  /** Settings of other ports, which none of them may take: `{ PORT: 8080 }`. */
  readonly beside: Readonly<Record<string, number>>;
}

/**
 * The port of the first of several; each of the others has the next one. With 0 they take any free ones, with null
 * none. Throws `SettingsFault`.
 */
export function readMetricsPorts(env: Env, { count, called, beside }: Scraped): number | null {
  const { metrics_port } = readTelemetrySettings(env);
  if (!metrics_port) return metrics_port;
  const each = `METRICS_PORT is ${metrics_port}; each of the ${count} ${called} takes one from there on`;
  const most = 65_536 - count;
  if (metrics_port > most) throw new SettingsFault(`${each}: name ${most} or less.`);
  const last = metrics_port + count - 1;
  for (const [name, port] of Object.entries(beside)) {
    if (port < metrics_port || port > last) continue;
    throw new SettingsFault(`${each}, to ${last}, and ${name} is ${port}: name another METRICS_PORT or ${name}.`);
  }
  return metrics_port;
}
