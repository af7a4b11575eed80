import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { startKafka, type RunningKafka } from '@tender/kafka-broker';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { freshDatabase } from '../fresh-database';
import { RELAY, RELAY_LATENCY } from '../goals';
import type { Figures } from '../report/entry';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { SAMPLE_DATA, SAMPLE_METADATA } from './sample-event';

const EVENTS = { full: 50_000, quick: 10_000 };
/** More than half of what POST /payments reaches; a relay alone could do more. */
const RATE_MAX = 2_000;

interface Passed {
  readonly per_s: number;
  readonly p50: number;
  readonly p99: number;
  readonly consumed: number;
}
interface Relayed extends Passed {
  readonly sent: number;
  readonly out_of_order: number;
}

/** How much: `count` at once, then arrivals at `rate` for `timed_ms`. */
interface Amount {
  readonly count: number;
  readonly rate: number;
  readonly timed_ms: number;
}

/**
 * Log → relay → Kafka → reactor with its checkpoint, against bare produce and consume of records of the same
 * size, each record parsed: first a backlog, then the wait from the commit to the reactor.
 */
export const relay: Scenario = {
  name: 'relay',
  slow: true,
  async run(bench) {
    const kafka = await startKafka({ dataDir: bench.folder('kafka') });
    try {
      const count = bench.flags.quick ? EVENTS.quick : EVENTS.full;
      const backlog = { count, rate: 1, timed_ms: 0 };
      const rounds = await roundsOf(bench, kafka, 'relay', backlog, ({ baseline, candidate }) => {
        const [ours, theirs] = [rateOf(candidate), rateOf(baseline)];
        return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
      });
      const slowest = Math.min(...rounds.map(({ candidate }) => rateOf(candidate)));
      const rate = Math.round(Math.min(RATE_MAX, slowest / 2));
      const steady = { count: 0, rate, timed_ms: bench.flags.timed_ms };
      const waits = await roundsOf(bench, kafka, `relay at ${rate}/s`, steady, (round) =>
        [round.candidate, round.baseline]
          .map(({ figures }) => `p99 ${figures['p99']?.toFixed(1)} ms`)
          .join(' against '),
      );
      const named = { name: 'relay', baseline_name: 'kafkajs' };
      return [
        entryOfRounds(bench, rounds, {
          ...{ ...named, params: { events: count }, compared: ['per_s'], goals: RELAY },
        }),
        entryOfRounds(bench, withAdded(waits), {
          ...{ ...named, params: { arrivals_per_s: rate }, compared: ['p99'], goals: RELAY_LATENCY },
        }),
      ];
    } finally {
      await kafka.stop();
    }
  },
};

const rateOf = ({ figures }: FiguresSide): number => figures['per_s'] ?? NaN;

/** What the log and the relay add to the wait. */
const withAdded = (rounds: readonly Round<FiguresSide>[]): Round<FiguresSide>[] =>
  rounds.map(({ baseline, candidate }) => {
    const added_p99 = (candidate.figures['p99'] ?? NaN) - (baseline.figures['p99'] ?? NaN);
    return { baseline, candidate: { ...candidate, figures: { ...candidate.figures, added_p99 } } };
  });

function roundsOf(
  bench: Bench,
  { brokers }: RunningKafka,
  name: string,
  amount: Amount,
  line: (round: Round<FiguresSide>) => string,
): Promise<Round<FiguresSide>[]> {
  const sides = {
    baseline: () => bare(brokers, amount),
    candidate: () => relayed(bench, brokers, amount),
  };
  return runRounds<FiguresSide>(bench, name, sides, line, Math.min(3, bench.flags.rounds));
}

/** A backlog has a rate, a steady stream has waits. */
const figuresOf = ({ per_s, p50, p99 }: Passed, { count }: Amount): Figures =>
  count > 0 ? { per_s } : { p50, p99 };

async function bare(brokers: readonly string[], amount: Amount): Promise<FiguresSide> {
  const child = Child.start(path.join(__dirname, '../baselines/kafka-loop.js'));
  try {
    const value = JSON.stringify({ ...SAMPLE_DATA, event: SAMPLE_METADATA });
    const topic = `bench-${randomUUID()}`;
    const passed = await child.ask<Passed>({ brokers, topic, value, ...amount });
    return { figures: figuresOf(passed, amount), faults: [] };
  } finally {
    await child.stop();
  }
}

async function relayed(
  bench: Bench,
  brokers: readonly string[],
  amount: Amount,
): Promise<FiguresSide> {
  const { connection_string, drop } = await freshDatabase(bench, 'relay');
  const { profile } = bench.flags;
  const child = Child.start(path.join(__dirname, '../candidates/relay-loop.js'), {
    execArgv: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
  });
  try {
    const namespace = `bench-${randomUUID()}.`;
    const event = { data: SAMPLE_DATA, metadata: SAMPLE_METADATA };
    const answer = await child.ask<Relayed>({
      ...{ connection_string, brokers, namespace, ...event, ...amount },
    });
    const { consumed, sent, out_of_order } = answer;
    const faults = out_of_order > 0 ? [`${out_of_order} events came out of their order`] : [];
    if (consumed !== sent) faults.push(`${sent} events were appended, ${consumed} came`);
    return { figures: figuresOf(answer, amount), faults };
  } finally {
    await child.stop();
    await drop();
  }
}
