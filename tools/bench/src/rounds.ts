import type { Bench } from './bench';

export interface Round<Side> {
  readonly baseline: Side;
  readonly candidate: Side;
}

/** Runs baseline and candidate back to back, in reversed order every other round. */
export async function runRounds<Side>(
  bench: Bench,
  name: string,
  sides: { baseline(): Promise<Side>; candidate(): Promise<Side> },
  line: (round: Round<Side>) => string,
  rounds = bench.flags.rounds,
): Promise<Round<Side>[]> {
  const done: Round<Side>[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const round = await bench.noise.round(
      () => (number % 2 ? baselineFirst(sides) : candidateFirst(sides)),
      bench.say,
    );
    done.push(round);
    bench.say(`  ${name} ${number}/${rounds}: ${line(round)}`);
  }
  return done;
}

type Sides<Side> = { baseline(): Promise<Side>; candidate(): Promise<Side> };

async function baselineFirst<Side>(sides: Sides<Side>): Promise<Round<Side>> {
  const baseline = await sides.baseline();
  return { baseline, candidate: await sides.candidate() };
}

async function candidateFirst<Side>(sides: Sides<Side>): Promise<Round<Side>> {
  const candidate = await sides.candidate();
  return { baseline: await sides.baseline(), candidate };
}
