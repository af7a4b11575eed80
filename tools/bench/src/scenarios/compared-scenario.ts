import type { Bench, Scenario } from '../bench';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type Comparison, type FiguresSide } from './figures-side';

interface TwoSides extends Comparison {
  /** Left out of a quick run unless it is named. */
  readonly slow?: true;
  baseline(bench: Bench): Promise<FiguresSide>;
  candidate(bench: Bench): Promise<FiguresSide>;
}

/** A scenario of rounds of two sides, whose figures are compared in one entry. */
export function comparedScenario({ baseline, candidate, slow, ...comparison }: TwoSides): Scenario {
  const { name, compared } = comparison;
  return {
    name,
    ...(slow ? { slow } : {}),
    async run(bench) {
      const rounds = await runRounds<FiguresSide>(
        bench,
        name,
        { baseline: () => baseline(bench), candidate: () => candidate(bench) },
        (round) => compared.map((figure) => shown(round, figure)).join('  '),
      );
      return [entryOfRounds(bench, rounds, comparison)];
    },
  };
}

function shown({ baseline, candidate }: Round<FiguresSide>, name: string): string {
  const [ours, theirs] = [candidate.figures[name] ?? NaN, baseline.figures[name] ?? NaN];
  return `${name} ${ours.toFixed(1)}/${theirs.toFixed(1)} = ${(ours / theirs).toFixed(2)}`;
}
