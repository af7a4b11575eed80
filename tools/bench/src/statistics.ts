import type { Figures } from './report/entry';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  if (upper === undefined) throw new Error('the median of nothing');
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

/** The median of each figure over the rounds. */
export function medians(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name] as number))]),
  );
}

/** The median of each round's ratio, and the least and greatest of `leading`. */
export function ratios(
  rounds: readonly { readonly baseline: Figures; readonly candidate: Figures }[],
  of: Readonly<Record<string, (side: Figures) => number>>,
  leading: string,
): Figures {
  if (rounds.length === 0) return {};
  const perRound = Object.entries(of).map(([name, figure]) => {
    return [name, rounds.map((round) => figure(round.candidate) / figure(round.baseline))] as const;
  });
  const lead = perRound.find(([name]) => name === leading)?.[1] ?? [];
  return {
    ...Object.fromEntries(perRound.map(([name, values]) => [name, median(values)])),
    min: Math.min(...lead),
    max: Math.max(...lead),
  };
}
