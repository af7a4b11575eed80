import type { OwnedProjection } from '@tender/adapter-postgres';
import { generationTable } from '@tender/eventing';
import type { System } from '../system';
import { grouped } from '../terminal/amounts';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { planReplay } from './plan-replay';
import { reportProgress } from './progress';
import { dropOld, rebuild } from './rebuild';
import { sayBegun } from './say-begun';
import { sayComparison } from './say-comparison';
import { tables } from './table-names';

export interface ReplayOne {
  readonly system: System;
  readonly terminal: Terminal;
  readonly owned: OwnedProjection;
  /** Tells this program from other releases. */
  readonly program: string;
  /** The swap is not asked for. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
}

export type Outcome = 'live' | 'not swapped' | 'interrupted';

/** Builds the next table of a projection, compares it, and puts it in place if it may. */
export async function replayOne(asked: ReplayOne): Promise<Outcome> {
  const { system, terminal, owned, program, signal } = asked;
  const { name, table: view } = owned.projection;
  const { events_total } = await planReplay(system, owned, program);
  const began_ms = terminal.now();
  let events = 0;
  const { generation, comparison, swap } = await rebuild({
    ...{ system, owned, program, signal },
    report(begun) {
      const { generation } = begun;
      sayBegun(terminal, name, begun);
      const report = reportProgress(terminal, { projection: name, generation, events_total });
      return {
        phase: report.phase,
        loaded(more) {
          events += more;
          report.loaded(more);
        },
      };
    },
  });
  const table = generationTable(view, generation);
  const facts = { line: 'replay', projection: name, generation, events } as const;
  const interrupted = (): Outcome => {
    tell(terminal, { ...facts, phase: 'interrupted' }, [
      `${name}: interrupted; ${table} keeps what is loaded, the live table is as it was.`,
      `Next: "tender ops replay ${name}" goes on, "tender ops replay ${name} --to drop-old" gives it up.`,
    ]);
    return 'interrupted';
  };
  if (comparison === null) return interrupted();
  sayComparison(terminal, name, comparison);
  const answer = await mayBeSwapped(asked, table);
  if (answer === null) return interrupted();
  if (!answer) {
    tell(terminal, { ...facts, phase: 'not_swapped' }, [
      `${name}: ${table} is complete and not in place; the live table is as it was.`,
      `Next: "tender ops replay ${name} --yes" puts it in place, "tender ops replay ${name} --to drop-old" gives it up.`,
    ]);
    return 'not swapped';
  }
  if (!(await swap())) return interrupted();
  const dropped = await dropOld(system, owned, { former: true });
  const elapsed_s = Math.round((terminal.now() - began_ms) / 100) / 10;
  const gone = dropped.map((one) => ({ generation: one }));
  tell(terminal, { ...facts, phase: 'live', elapsed_s, dropped }, [
    `${name}: ${table} is live, from ${grouped(events)} events in ${elapsed_s} s.`,
    ...(dropped.length > 0 ? [`${name}: dropped ${tables(view, gone)}.`] : []),
    `Next: look at it; "tender ops replay ${name} --to roll-back" goes back, "--to drop-old" frees the space.`,
  ]);
  return 'live';
}

/** Null at Ctrl-C. Without a terminal, only `--yes` is a yes. */
async function mayBeSwapped({ terminal, yes }: ReplayOne, table: string): Promise<boolean | null> {
  if (yes) return true;
  if (!terminal.can_ask) return false;
  const answer = await terminal.ask(`Put ${table} in place of the live table? Type "swap": `);
  return answer === null ? null : answer.trim() === 'swap';
}
