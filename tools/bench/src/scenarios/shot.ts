import type { Load } from '../load/load';
import type { LoadResult, LoadSpec } from '../load/load-spec';
import { meterCpu, untilCalm, type Metered } from '../machine/cpu-meter';
import { rssMb } from '../machine/processes';
import { walBytes } from '../machine/postgres';
import type { Figures } from '../report/entry';
import type { FiguresSide } from './figures-side';

/** One timed load against one server, and what it cost. */
export interface Shot {
  readonly load: LoadResult;
  /** CPU per accepted request, in µs, work that the request left to followers included. */
  readonly node_us: number;
  readonly pg_us: number;
  /** Likewise, of each process besides the one that answers. */
  readonly others_us: Readonly<Record<string, number>>;
  readonly wal_bytes_per_op: number;
  readonly rss_mb: number;
  /** How long the server went on working after the last answer. */
  readonly drain_ms: number;
}

export async function shoot(
  load: Load,
  spec: LoadSpec,
  metered: Metered,
  connection_string: string,
): Promise<Shot> {
  const wal_before = await walBytes(connection_string);
  const cpu = meterCpu(metered);
  const result = await load.run(spec);
  const rss_mb = rssMb(metered.node);
  const drain_ms = await untilCalm(metered);
  const { node_s, pg_s, others_s } = cpu();
  const answered = Math.max(1, result.accepted);
  return {
    load: result,
    node_us: (node_s * 1e6) / answered,
    pg_us: (pg_s * 1e6) / answered,
    others_us: Object.fromEntries(
      Object.entries(others_s).map(([name, spent_s]) => [`${name}_us`, (spent_s * 1e6) / answered]),
    ),
    wal_bytes_per_op: ((await walBytes(connection_string)) - wal_before) / answered,
    rss_mb,
    drain_ms,
  };
}

export const shotFigures = ({ load, others_us, ...cost }: Shot) => ({
  rps: load.rps,
  p50: load.p50,
  p99: load.p99,
  ...cost,
  ...others_us,
});

/** CPU of everything that worked for a request, in µs. */
export const sumOfCpu = (figures: Figures): number =>
  Object.entries(figures).reduce((sum, [name, us]) => (name.endsWith('_us') ? sum + us : sum), 0);

export const failuresIn = (shots: readonly Shot[]): number =>
  shots.reduce((sum, { load }) => sum + Object.values(load.failures).reduce((a, b) => a + b, 0), 0);

/** How requests ended that were not answered with 2xx, but for those that the load means to have refused. */
export const badlyEnded = (
  { failures }: Pick<LoadResult, 'failures'>,
  meant: ReadonlySet<string> = new Set(),
): readonly string[] =>
  Object.entries(failures)
    .filter(([how]) => !meant.has(how))
    .map(([how, count]) => `${count} requests ended with ${how}`);

/** A side that is one shot, with the sum of its CPU. */
export function sideOf(shot: Shot): FiguresSide {
  const figures = shotFigures(shot);
  return { figures: { ...figures, cpu: sumOfCpu(figures) }, faults: badlyEnded(shot.load) };
}
