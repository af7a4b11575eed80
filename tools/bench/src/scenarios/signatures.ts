import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { SIGNATURES } from '../goals';
import { runRounds } from '../rounds';
import { bareSigning } from './bare-signing';
import { entryOfRounds, type FiguresSide } from './figures-side';

const IN_FLIGHT = 8;
const WALLETS = 8;
/** What plays treasury stands on the stage of the attacks, which is not built. */
const ROOT = path.join(__dirname, '../../../..');
const SIGN_LOOP = path.join(ROOT, 'tools/bench/src/signing/sign-loop.ts');
const FROM_SOURCE = ['--conditions=source', '-r', path.join(ROOT, 'scripts/typescript-hook.cjs')];

/** Transfers signed by two started signers that judge each, against bare FROST between two processes. */
export const signatures: Scenario = {
  name: 'signatures',
  async run(bench) {
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      { baseline: () => bareSigning(bench), candidate: () => judged(bench) },
      ({ baseline, candidate }) => {
        const [ours, theirs] = [candidate.figures['per_s'] ?? NaN, baseline.figures['per_s'] ?? NaN];
        return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
      },
    );
    return [
      entryOfRounds(bench, rounds, {
        name: this.name,
        params: { in_flight: IN_FLIGHT, wallets: WALLETS, sec: bench.flags.timed_ms / 1000 },
        baseline_name: 'bare FROST, one at a time',
        compared: ['per_s', 'cpu_ms', 'p50'],
        goals: SIGNATURES,
      }),
    ];
  },
};

async function judged({ flags }: Bench): Promise<FiguresSide> {
  const { warmup_ms, timed_ms, profile } = flags;
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const child = Child.start(SIGN_LOOP, { execArgv: [...FROM_SOURCE, ...profiling] });
  try {
    const order = { in_flight: IN_FLIGHT, wallets: WALLETS, warmup_ms, timed_ms };
    return await child.ask<FiguresSide>(order);
  } finally {
    await child.stop();
  }
}
