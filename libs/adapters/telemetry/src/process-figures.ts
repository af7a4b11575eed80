import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Telemetry } from '@tender/eventing';

const RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** What Node knows of itself, at each scrape. The function that it returns ends it. */
export function watchProcess(telemetry: Pick<Telemetry, 'watch'>): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const ends = [
    telemetry.watch('tender_event_loop_delay_seconds', () => {
      // The monitor's own timer is part of what it measures.
      const seconds = (ns: number) => Math.max(0, ns / NANOSECONDS - RESOLUTION_MS / 1000);
      const readings = [
        { value: seconds(delay.percentile(50)), labels: { quantile: 'p50' } },
        { value: seconds(delay.percentile(99)), labels: { quantile: 'p99' } },
        { value: seconds(delay.max), labels: { quantile: 'max' } },
      ];
      delay.reset();
      return readings;
    }),
    telemetry.watch('tender_memory_bytes', () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const bytes = { rss, heap_used: heapUsed, heap_total: heapTotal, external };
      return Object.entries(bytes).map(([kind, value]) => ({ value, labels: { kind } }));
    }),
    telemetry.watch('tender_open_handles', () => [
      { value: process.getActiveResourcesInfo().length, labels: {} },
    ]),
  ];
  return () => {
    delay.disable();
    for (const end of ends) end();
  };
}
