import { createServer, type Server } from 'node:http';
import type { Counter, Histogram, ObservableResult } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, InstrumentType, MeterProvider } from '@opentelemetry/sdk-metrics';
import { INSTRUMENTS, type GaugeName, type InstrumentName, type Telemetry } from '@tender/eventing';

/** Seconds. Fine below 100 ms, where answers are, and at 1 s, which is promised to webhooks. */
const BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
const READ_TIMEOUT_MS = 1_000;

type Labels = Readonly<Record<string, string>>;
type Read = Parameters<Telemetry['watch']>[1];

export interface Metrics extends Pick<Telemetry, 'count' | 'time' | 'watch'> {
  readonly port: number;
  close(): Promise<void>;
}

/** Every instrument of the list, at `GET /metrics` on a port of its own. Rejects when the port is taken. */
export async function openMetrics(
  host: string,
  port: number,
  resource: Resource,
): Promise<Metrics> {
  const exporter = new PresentExporter({ preventServerStart: true, withoutScopeInfo: true });
  const provider = new MeterProvider({ resource, readers: [exporter] });
  const meter = provider.getMeter('tender');
  const counters = new Map<InstrumentName, Counter>();
  const histograms = new Map<InstrumentName, Histogram>();
  const readers = new Map<InstrumentName, Set<Read>>();
  for (const [key, { kind, says: description }] of Object.entries(INSTRUMENTS)) {
    const name = key as InstrumentName;
    if (kind === 'counter') counters.set(name, meter.createCounter(name, { description }));
    else if (kind === 'histogram') {
      const advice = { explicitBucketBoundaries: BUCKETS };
      histograms.set(name, meter.createHistogram(name, { description, advice }));
    } else {
      const reads = new Set<Read>();
      readers.set(name, reads);
      const gauge = meter.createObservableGauge(name, { description });
      gauge.addCallback((result) => tell(result, reads));
    }
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/metrics') {
      return exporter.getMetricsRequestHandler(request, response);
    }
    response.writeHead(404).end();
  });
  await listening(server, host, port);

  return {
    port: (server.address() as { port: number }).port,
    count: (name, labels: Labels, by = 1) => counters.get(name)?.add(by, labels),
    time: (name, duration_ms, labels: Labels) =>
      histograms.get(name)?.record(duration_ms / 1000, labels),
    watch(name: GaugeName, read: unknown) {
      readers.get(name)?.add(read as Read);
      return () => void readers.get(name)?.delete(read as Read);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await provider.shutdown();
    },
  };
}

/** A gauge is what was read at this scrape: a follower that has ended must not stay for ever. */
class PresentExporter extends PrometheusExporter {
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return type === InstrumentType.OBSERVABLE_GAUGE
      ? AggregationTemporality.DELTA
      : super.selectAggregationTemporality(type);
  }
}

/** A reading that fails or takes too long is missing from this scrape, and the others are not. */
async function tell(result: ObservableResult, reads: ReadonlySet<Read>): Promise<void> {
  await Promise.all(
    [...reads].map(async (read) => {
      try {
        const readings = await inTime(read());
        for (const { value, labels } of readings) result.observe(value, labels as Labels);
      } catch {
        // What it reads from logs its own failure.
      }
    }),
  );
}

async function inTime<Value>(value: Value | Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late for this scrape')), READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
