import { toleranceOf, type Bench } from '../bench';
import { judge, type Entry, type Figures, type Goal } from '../report/entry';
import type { Round } from '../rounds';
import { medians, ratios } from '../statistics';

/** What one side did in one round, in figures, and what was wrong with it. */
export interface FiguresSide {
  readonly figures: Figures;
  readonly faults: readonly string[];
}

export interface Comparison {
  readonly name: string;
  readonly params: Entry['params'];
  readonly baseline_name: string;
  /** Figures whose ratios are taken; the first one's spread is shown. */
  readonly compared: readonly [string, ...string[]];
  readonly goals: readonly Goal[];
}

/** The entry that rounds of figures make. */
export function entryOfRounds(
  bench: Bench,
  rounds: readonly Round<FiguresSide>[],
  { compared, goals, ...rest }: Comparison,
): Entry {
  const both = rounds.map(({ baseline, candidate }) => {
    return { baseline: baseline.figures, candidate: candidate.figures };
  });
  const sides = rounds.flatMap(({ baseline, candidate }) => [baseline, candidate]);
  const faults = [...new Set(sides.flatMap((side) => side.faults))];
  const of = Object.fromEntries(
    compared.map((name) => [name, (figures: Figures) => figures[name] ?? NaN]),
  );
  return judge(
    {
      ...rest,
      params: { ...rest.params, rounds: rounds.length },
      baseline: medians(both.map(({ baseline }) => baseline)),
      candidate: medians(both.map(({ candidate }) => candidate)),
      ratio: ratios(both, of, compared[0]),
      rows_checked: faults.length === 0,
      errors: faults.length,
      faults,
    },
    goals,
    toleranceOf(bench.flags),
  );
}
