import type { Runtime } from '@tender/eventing';
import { QUEUES } from './queues';

// One row per endpoint that has something due: what an endpoint has queued costs nothing here.
const DUE = `
  select lane, count(*)::int as endpoints, min(due_at)::float8 as oldest
  from webhook_dispatcher.endpoint_queue where lane = any($2) and due_at <= $1 group by lane`;

interface Due {
  readonly lane: number;
  readonly endpoints: number;
  readonly oldest: number;
}

/** Measures at each scrape what waits although it is due. The functions that it returns end it. */
export function watchDue({
  readModels,
  clock,
  telemetry,
}: Pick<Runtime, 'readModels' | 'clock' | 'telemetry'>): readonly (() => void)[] {
  const byQueue = async (figure: (due: Due) => number) => {
    const rows = await readModels.query<Due>(DUE, [clock.now(), Object.values(QUEUES)]);
    return Object.entries(QUEUES).map(([lane, number]) => {
      const due = rows.find((row) => row.lane === number);
      return { value: due ? figure(due) : 0, labels: { lane } };
    });
  };
  return [
    telemetry.watch('tender_webhook_oldest_due_seconds', () =>
      byQueue(({ oldest }) => Math.max(0, clock.now() - oldest) / 1000),
    ),
    telemetry.watch('tender_webhook_due_endpoints', () => byQueue(({ endpoints }) => endpoints)),
  ];
}
