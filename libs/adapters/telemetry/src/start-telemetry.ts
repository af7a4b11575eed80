import { diag, DiagLogLevel } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { noTelemetry, type Log, type Telemetry } from '@tender/eventing';
import { openMetrics, type Metrics } from './metrics';
import { watchProcess } from './process-figures';
import { spanSink, type SpanSink } from './spans';

export interface TelemetryOptions {
  /** Which process this is: `embedded`, `gateway`, `payments` … */
  readonly service: string;
  /** Where metrics are listened for. */
  readonly host: string;
  /** Null: no metrics. 0 takes any free port. */
  readonly metrics_port: number | null;
  /** An OTLP collector, `http://collector:4318`; null: no traces leave. */
  readonly otlp_endpoint: string | null;
  readonly log: Log;
}

export interface RunningTelemetry extends Telemetry {
  /** Where metrics are served; null where they are not. */
  readonly metrics_port: number | null;
  /** Sends what waits, for two seconds at most, and ends. */
  close(): Promise<void>;
}

/**
 * Measures the program: Prometheus scrapes, spans go to the collector. Rejects, with the port in the error, when
 * `metrics_port` is taken.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<RunningTelemetry> {
  const { service, host, metrics_port, otlp_endpoint, log } = options;
  const resource = resourceFromAttributes({ 'service.name': `tender-${service}` });
  const say = sayer(log);
  diag.setLogger(
    { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const metrics = metrics_port === null ? null : await openMetrics(host, metrics_port, resource);
  const spans = otlp_endpoint === null ? null : spanSink(otlp_endpoint, resource);
  const unwatch = metrics ? watchProcess(metrics) : () => undefined;
  return {
    ...told(metrics, spans),
    metrics_port: metrics?.port ?? null,
    async close() {
      unwatch();
      await Promise.all([metrics?.close(), spans?.close().catch(say)]);
    },
  };
}

function told(metrics: Metrics | null, spans: SpanSink | null): Telemetry {
  const { count, time, watch } = metrics ?? noTelemetry;
  return {
    on: metrics !== null || spans !== null,
    ticks: () => performance.now(),
    count,
    time,
    watch,
    span: spans ? (span) => spans.add(span) : noTelemetry.span,
  };
}

const SAID_AGAIN_MS = 60_000;
const LENGTH_MAX = 200;

const nothing = (): void => undefined;

/** The library's own troubles, such as a collector that is away: logged once a minute, and cut short. */
function sayer(log: Log): (trouble: unknown) => void {
  let said_ms = Number.NEGATIVE_INFINITY;
  return (trouble) => {
    if (performance.now() - said_ms < SAID_AGAIN_MS) return;
    said_ms = performance.now();
    log.warn({ trouble: String(trouble).slice(0, LENGTH_MAX) }, 'telemetry is incomplete');
  };
}
