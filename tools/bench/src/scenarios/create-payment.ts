import type { Bench, Scenario } from '../bench';
import { toleranceOf } from '../bench';
import { countRows, emptyTable } from '../baselines/tables';
import { startBaseline } from '../baselines/start-baseline';
import { CREATE_PAYMENT, CREATE_PAYMENT_DISTRIBUTED, CREATE_PAYMENT_LATENCY } from '../goals';
import type { LoadSpec } from '../load/load-spec';
import { paymentRequest } from '../load/payment-request';
import { untilCalm, type Metered } from '../machine/cpu-meter';
import { checkpoint } from '../machine/postgres';
import { countEvents } from '../product/log-rows';
import { probe } from '../product/probes';
import { Product, type Run } from '../product/product';
import { judge, type Entry, type Goal } from '../report/entry';
import { runRounds, type Round } from '../rounds';
import { medians, ratios } from '../statistics';
import { letCheckpoint } from '../throwaway-server';
import { failuresIn, shoot, shotFigures, sumOfCpu, type Shot } from './shot';

const CONNECTIONS = [1, 8, 64, 256] as const;
const LATENCY_CONNECTIONS = 64;
const POOLS = [8, 16, 32] as const;

/** What one server did in one round: a shot per number of connections, and one at a steady rate. */
interface Side {
  readonly shots: ReadonlyMap<number, Shot>;
  readonly faults: readonly string[];
}

interface Plan {
  readonly name: string;
  readonly run: Run;
  readonly connections: readonly number[];
  /** By connections. */
  readonly goals: Readonly<Record<number, readonly Goal[]>>;
  readonly latency_goals: readonly Goal[];
}

/** POST /payments with every follower running, against one prepared INSERT (goals 1, 1b, 1c). */
export const createPayment = scenarioOf({
  name: 'create-payment',
  run: 'embedded',
  connections: CONNECTIONS,
  goals: CREATE_PAYMENT,
  latency_goals: CREATE_PAYMENT_LATENCY,
});

/** The same through gateway, service, the log that all share, and Kafka with every follower behind it. */
export const createPaymentDistributed = scenarioOf({
  name: 'create-payment-distributed',
  run: 'postgres',
  connections: CONNECTIONS,
  goals: CREATE_PAYMENT_DISTRIBUTED,
  latency_goals: [],
});

export const createPaymentEventStore = scenarioOf({
  ...{ name: 'create-payment-eventstore', run: 'eventstore', connections: [64] },
  ...{ goals: {}, latency_goals: [] },
});

function scenarioOf(plan: Plan): Scenario {
  const { name, run, connections, goals } = plan;
  return {
    name,
    ...(run === 'embedded' ? {} : { slow: true }),
    async run(bench) {
      const pool = await bestPool(bench);
      const rounds = await runRounds(
        bench,
        name,
        {
          baseline: () => baselineSide(bench, pool, connections),
          candidate: () => candidateSide(bench, plan, connections),
        },
        (round) => connections.map((at) => `${at}: ${rpsOf(round, at)}`).join('  '),
      );
      const entries = connections.map((at) =>
        entryOf(bench, plan, rounds, at, { pool }, goals[at] ?? []),
      );
      return [...entries, await latency(bench, plan, pool, peakOf(rounds))];
    },
  };
}

function rpsOf({ baseline, candidate }: Round<Side>, at: number): string {
  const [shot, bare] = [candidate.shots.get(at), baseline.shots.get(at)];
  if (!shot || !bare) return 'nothing';
  const [ours, theirs] = [shotFigures(shot), shotFigures(bare)];
  const [rps, cpu] = [ours.rps / theirs.rps, sumOfCpu(ours) / sumOfCpu(theirs)];
  return `${ours.rps.toFixed(0)}/${theirs.rps.toFixed(0)} = ${rps.toFixed(2)} (cpu ${cpu.toFixed(2)})`;
}

/** The baseline gets the pool with which it is fastest on this machine. */
async function bestPool(bench: Bench): Promise<number> {
  let best = { pool: 0, rps: 0 };
  for (const pool of POOLS) {
    const { shots } = await baselineSide(bench, pool, [64], 1000);
    const rps = shots.get(64)?.load.rps ?? 0;
    if (rps > best.rps) best = { pool, rps };
  }
  bench.say(`  the baseline is fastest with ${best.pool} database connections`);
  return best.pool;
}

async function baselineSide(
  bench: Bench,
  pool: number,
  connections: readonly number[],
  timed_ms = bench.flags.timed_ms,
  rate?: number,
): Promise<Side> {
  const { connection_string, postmaster } = await bench.server();
  await emptyTable(connection_string);
  const server = await startBaseline('fastify-insert', {
    BENCH_DATABASE: connection_string,
    BENCH_POOL: String(pool),
  });
  try {
    const metered = { node: server.pid, postmaster };
    const target = { url: server.url, request: paymentRequest('svc_test_nobody_looks') };
    const { shots, accepted } = await series(
      bench, target, metered, connection_string, connections, timed_ms, rate,
    );
    return { shots, faults: missing(accepted, await countRows(connection_string)) };
  } finally {
    await server.stop();
  }
}

async function candidateSide(
  bench: Bench,
  { run }: Plan,
  connections: readonly number[],
  rate?: number,
): Promise<Side> {
  const { profile, timed_ms } = bench.flags;
  const data_dir = bench.folder('create');
  await letCheckpoint(data_dir);
  const product = await Product.start({ data_dir, run, profile });
  try {
    const wrong = await probe(product);
    if (wrong.length > 0) return { shots: new Map(), faults: wrong };
    const { connection_string } = product.server;
    const before = await countEvents(connection_string, 'PaymentCreated');
    await checkpoint(connection_string);
    const target = { url: product.url, request: paymentRequest(product.ready.demo.api_key) };
    const { shots, accepted } = await series(
      bench, target, product.metered, connection_string, connections, timed_ms, rate,
    );
    const stored = (await countEvents(connection_string, 'PaymentCreated')) - before;
    return { shots, faults: missing(accepted, stored) };
  } finally {
    await product.stop();
  }
}

const missing = (accepted: number, stored: number): string[] =>
  accepted === stored ? [] : [`${accepted} answers were 2xx, ${stored} rows are in the log`];

type Target = Pick<LoadSpec, 'url' | 'request'>;

async function series(
  bench: Bench,
  target: Target,
  metered: Metered,
  connection_string: string,
  connections: readonly number[],
  timed_ms: number,
  rate?: number,
) {
  const { warmup_ms, settle_ms } = bench.flags;
  const shots = new Map<number, Shot>();
  const warm = await bench.load.run({
    ...target,
    connections: 16,
    warmup_ms: settle_ms,
    timed_ms: 0,
  });
  // What the followers have left to do of it is not the next shot's.
  await untilCalm(metered);
  let accepted = warm.accepted;
  for (const at of connections) {
    const spec = { ...target, connections: at, warmup_ms, timed_ms, ...(rate ? { rate } : {}) };
    const shot = await shoot(bench.load, spec, metered, connection_string);
    accepted += shot.load.accepted;
    shots.set(at, shot);
  }
  return { shots, accepted };
}

function entryOf(
  bench: Bench,
  { name }: Plan,
  rounds: readonly Round<Side>[],
  at: number,
  more: Entry['params'],
  goals: readonly Goal[],
): Entry {
  const both = figuresOf(rounds, at);
  const { timed_ms } = bench.flags;
  return judge(
    {
      name,
      params: { connections: at, sec: timed_ms / 1000, rounds: rounds.length, ...more },
      baseline_name: 'fastify+insert',
      baseline: medians(both.map(({ baseline }) => baseline)),
      candidate: medians(both.map(({ candidate }) => candidate)),
      ratio: ratios(
        both,
        { rps: ({ rps = 0 }) => rps, cpu: sumOfCpu, p99: ({ p99 = 0 }) => p99 },
        'arrivals_per_s' in more ? 'p99' : 'rps',
      ),
      ...soundness(rounds, at),
    },
    goals,
    toleranceOf(bench.flags),
  );
}

function figuresOf(rounds: readonly Round<Side>[], at: number) {
  return rounds.flatMap(({ baseline, candidate }) => {
    const [theirs, ours] = [baseline.shots.get(at), candidate.shots.get(at)];
    return theirs && ours ? [{ baseline: shotFigures(theirs), candidate: shotFigures(ours) }] : [];
  });
}

function soundness(rounds: readonly Round<Side>[], at: number) {
  const sides = rounds.flatMap(({ baseline, candidate }) => [baseline, candidate]);
  const errors = failuresIn(sides.flatMap(({ shots }) => shots.get(at) ?? []));
  const faults = [...new Set(sides.flatMap((side) => side.faults))];
  if (errors > 0) faults.push(`${errors} requests were not answered with 2xx`);
  return { rows_checked: faults.length === 0, errors, faults };
}

function peakOf(rounds: readonly Round<Side>[]): number {
  const sides = rounds.flatMap(({ baseline, candidate }) => [baseline, candidate]);
  return Math.min(...sides.flatMap(({ shots }) => shots.get(LATENCY_CONNECTIONS)?.load.rps ?? []));
}

/** Arrivals at half the slower side's peak, whatever the answers do. */
async function latency(bench: Bench, plan: Plan, pool: number, peak: number): Promise<Entry> {
  const rate = Math.round(peak / 2);
  const at = [LATENCY_CONNECTIONS];
  const rounds = await runRounds(
    bench,
    `${plan.name} at ${rate}/s`,
    {
      baseline: () => baselineSide(bench, pool, at, bench.flags.timed_ms, rate),
      candidate: () => candidateSide(bench, plan, at, rate),
    },
    ({ baseline, candidate }) =>
      [candidate, baseline]
        .map(({ shots }) => shots.get(LATENCY_CONNECTIONS)?.load)
        .map((load) => `p50 ${load?.p50.toFixed(1)} p99 ${load?.p99.toFixed(1)} ms`)
        .join(' against '),
    bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
  );
  const params = { pool, arrivals_per_s: rate };
  return entryOf(bench, plan, rounds, LATENCY_CONNECTIONS, params, plan.latency_goals);
}
