export type Verdict = 'stretch' | 'floor' | 'miss';

/** One goal of `goals.ts`. */
export interface Goal {
  readonly id: string;
  /** Where its value stands in the entry: `ratio.rps`, `candidate.p99`. */
  readonly metric: string;
  readonly op: '>=' | '<=';
  readonly must: number;
  readonly stretch: number;
  /** Absolute figures depend on the machine: they never fail a quick run. */
  readonly absolute?: true;
}

export interface JudgedGoal extends Goal {
  readonly value: number;
  readonly verdict: Verdict;
}

export type Figures = Readonly<Record<string, number>>;

/** One line of the result: a scenario with one set of parameters. */
export interface Entry {
  readonly name: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly baseline_name: string;
  readonly baseline: Figures;
  readonly candidate: Figures;
  /** Medians of the ratios of each round; `min` and `max` are those of the first. */
  readonly ratio: Figures;
  /** Rows in the log were counted and equal the 2xx answers. */
  readonly rows_checked: boolean;
  readonly errors: number;
  /** Why the entry fails, whatever its speed; empty when it is sound. */
  readonly faults: readonly string[];
  readonly goals: readonly JudgedGoal[];
}

/** Judges an entry's figures by its goals. `tolerance` 0.1 lets a floor be missed by a tenth. */
export function judge(
  entry: Omit<Entry, 'goals'>,
  goals: readonly Goal[],
  tolerance: number,
): Entry {
  const judgedGoals = goals.map((goal) => judged(goal, valueAt(entry, goal.metric), tolerance));
  return { ...entry, goals: judgedGoals };
}

function judged(goal: Goal, value: number, tolerance: number): JudgedGoal {
  const floor = goal.op === '>=' ? goal.must * (1 - tolerance) : goal.must * (1 + tolerance);
  const reaches = (line: number) => (goal.op === '>=' ? value >= line : value <= line);
  const verdict = reaches(goal.stretch) ? 'stretch' : reaches(floor) ? 'floor' : 'miss';
  return { ...goal, value, verdict };
}

function valueAt(entry: Omit<Entry, 'goals'>, metric: string): number {
  const [part, name] = metric.split('.') as ['ratio' | 'candidate', string];
  // A figure that is not there reaches nothing.
  return entry[part][name] ?? NaN;
}

export const failsFloor = (entry: Entry, quick: boolean): boolean =>
  entry.goals.some(({ verdict, absolute }) => verdict === 'miss' && !(quick && absolute));
