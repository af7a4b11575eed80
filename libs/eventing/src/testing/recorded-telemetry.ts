import type { GaugeName, InstrumentName } from '../telemetry/instruments';
import type { Reading, Span, Telemetry } from '../ports/telemetry';

/** One that remembers: `count` and `time` as `[name, labels, amount]`. */
export function recordedTelemetry() {
  const counted: [InstrumentName, object, number][] = [];
  const spans: Span[] = [];
  const reads = new Map<GaugeName, Set<() => unknown>>();
  let ticks = 0;
  const telemetry: Telemetry = {
    on: true,
    ticks: () => (ticks += 1),
    count: (name, labels, by = 1) => void counted.push([name, labels, by]),
    time: (name, duration_ms, labels) => void counted.push([name, labels, duration_ms]),
    watch(name, read) {
      const known = reads.get(name) ?? new Set();
      reads.set(name, known.add(read));
      return () => void known.delete(read);
    },
    span: (span) => void spans.push(span),
  };
  return {
    telemetry,
    spans,
    /** What was counted or timed under that name. */
    of: (name: InstrumentName) =>
      counted.filter(([told]) => told === name).map(([, ...rest]) => rest),
    /** What a scrape would read now. */
    async read<Name extends GaugeName>(name: Name): Promise<Reading<Name>[]> {
      const told = await Promise.all([...(reads.get(name) ?? [])].map((read) => read()));
      return told.flat() as Reading<Name>[];
    },
  };
}
