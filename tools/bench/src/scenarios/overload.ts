import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { OVERLOAD } from '../goals';
import type { LoadResult } from '../load/load-spec';
import { paymentRequest } from '../load/payment-request';
import { untilCalm } from '../machine/cpu-meter';
import { rssMb } from '../machine/processes';
import { countEvents } from '../product/log-rows';
import { probe } from '../product/probes';
import { Product } from '../product/product';
import type { Figures } from '../report/entry';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { badlyEnded } from './shot';

const PEAK_CONNECTIONS = 64;
const TIMES_THE_PEAK = 4;
/** More than the program lets in, so that the program refuses requests, not a queue of the load's own. */
const CONNECTIONS = 2_000;
const LOOK_MS = 50;

/**
 * Four times the arrivals that it can answer (goal 15): the baseline is its own peak, just before. What it
 * does not take is refused with 503 or 429 and a time to come again, and its memory stays where it was.
 */
export const overload: Scenario = {
  name: 'overload',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      sidesOf(bench),
      ({ baseline, candidate }) =>
        `${candidate.figures['rps']?.toFixed(0)}/${baseline.figures['rps']?.toFixed(0)} per s, ` +
        `${candidate.figures['refused_per_s']?.toFixed(0)} refused, ` +
        `p99 ${candidate.figures['p99']?.toFixed(0)} ms`,
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'overload',
        params: { times: TIMES_THE_PEAK, connections: CONNECTIONS },
        baseline_name: 'its own peak',
        compared: ['rps', 'rss_mb'],
        goals: OVERLOAD,
      }),
    ];
  },
};

/** Both sides are one program: the order cannot be turned. */
function sidesOf(bench: Bench) {
  let both: Promise<{ peak: FiguresSide; overloaded: FiguresSide }> | null = null;
  const measured = () => (both ??= peakAndOverload(bench));
  const take = async (side: 'peak' | 'overloaded') => (await measured())[side];
  let taken = 0;
  const once = async (side: 'peak' | 'overloaded') => {
    const figures = await take(side);
    if ((taken += 1) % 2 === 0) both = null;
    return figures;
  };
  return { baseline: () => once('peak'), candidate: () => once('overloaded') };
}

async function peakAndOverload(bench: Bench) {
  const { warmup_ms, timed_ms, profile } = bench.flags;
  const product = await Product.start({ data_dir: bench.folder('overload'), profile });
  try {
    const faults = await probe(product);
    const { connection_string } = product.server;
    const before = await countEvents(connection_string, 'PaymentCreated');
    const target = { url: product.url, request: paymentRequest(product.ready.demo.api_key) };
    const times = { warmup_ms, timed_ms };
    const closed = { ...target, ...times, connections: PEAK_CONNECTIONS };
    const peak = await withMemory(product.pid, () => bench.load.run(closed));
    await untilCalm(product.metered);
    const rate = Math.round(peak.load.rps * TIMES_THE_PEAK);
    const open = { ...target, ...times, connections: CONNECTIONS, rate, goodput: true };
    const overloaded = await withMemory(product.pid, () => bench.load.run(open));
    await untilCalm(product.metered);
    faults.push(...badlyEnded(overloaded.load, CLEAN), ...(await probe(product)));
    // The probes make one payment each time.
    const stored = (await countEvents(connection_string, 'PaymentCreated')) - before - 1;
    const accepted = peak.load.accepted + overloaded.load.accepted;
    if (stored !== accepted) {
      faults.push(`${accepted} answers were 2xx, ${stored} rows are in the log`);
    }
    return {
      peak: { figures: figuresOf(peak), faults: [] },
      overloaded: { figures: { ...figuresOf(overloaded), ...refusals(bench, overloaded) }, faults },
    };
  } finally {
    await product.stop();
  }
}

interface Seen {
  readonly load: LoadResult;
  /** Greatest while it ran. */
  readonly rss_mb: number;
}

async function withMemory(pid: number, work: () => Promise<LoadResult>): Promise<Seen> {
  let rss_mb = 0;
  let over = false;
  const watch = (async () => {
    for (; !over; await sleep(LOOK_MS)) rss_mb = Math.max(rss_mb, rssMb(pid));
  })();
  const load = await work();
  over = true;
  await watch;
  return { load, rss_mb };
}

const figuresOf = ({ load: { rps, p50, p99 }, rss_mb }: Seen): Figures => {
  return { rps, p50, p99, rss_mb };
};

function refusals({ flags }: Bench, { load: { failures } }: Seen): Figures {
  const refused = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return { refused_per_s: refused / ((flags.warmup_ms + flags.timed_ms) / 1000) };
}

const CLEAN = new Set(['429', '503']);

