import { dropOldGenerations, type OwnedProjection } from '@tender/adapter-postgres';
import { generationTable, readGenerations, type Generation } from '@tender/eventing';
import type { Command, ReplayTarget } from '../arguments';
import { CommandFault, INTERRUPTED } from '../faults';
import { PROJECTIONS, type System } from '../system';
import { grouped } from '../terminal/amounts';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { findProjection, recordTables } from './find-projection';
import { planReplay, type ReplayPlan } from './plan-replay';
import { reportProgress } from './progress';
import { promote, rebuild } from './rebuild';

type ReplayCommand = Extract<Command, { command: 'replay' }>;

/** `tender ops replay …`; answers the exit code. At a terminal it speaks English, elsewhere JSON lines. */
export async function runReplay(
  system: System,
  terminal: Terminal,
  { projection, dry_run, to }: ReplayCommand,
): Promise<number> {
  const chosen =
    projection === null ? PROJECTIONS : [await findProjection(system.readModels, projection)];
  const abort = new AbortController();
  terminal.onInterrupt(() => abort.abort());
  for (const owned of chosen) {
    if (dry_run) await sayPlan(system, terminal, owned, to);
    else if (to === 'new') await replayOne(system, terminal, owned, abort.signal);
    else if (to === 'drop-old') await dropOld(system, terminal, owned);
    else await putBack(system, terminal, owned, to);
    if (abort.signal.aborted) return INTERRUPTED;
  }
  return 0;
}

async function replayOne(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  signal: AbortSignal,
): Promise<void> {
  const { name } = owned.projection;
  const { events_total } = await planReplay(system, owned);
  const began_ms = terminal.now();
  let loaded = 0;
  const { generation, is_live } = await rebuild({
    ...{ system, owned, signal },
    report(generation) {
      const report = reportProgress(terminal, { projection: name, generation, events_total });
      return {
        phase: report.phase,
        loaded(events) {
          loaded += events;
          report.loaded(events);
        },
      };
    },
  });
  const seconds = Math.round((terminal.now() - began_ms) / 100) / 10;
  const table = generationTable(owned.projection.table, generation);
  const phase = is_live ? 'live' : 'interrupted';
  tell(
    terminal,
    { projection: name, generation, phase, events: loaded, elapsed_s: seconds },
    is_live
      ? [
          `${name}: ${table} is live, from ${grouped(loaded)} events in ${seconds} s.`,
          `Next: look at it; "tender ops replay ${name} --to roll-back" goes back, "--to drop-old" frees the space.`,
        ]
      : [
          `${name}: interrupted; ${table} keeps what is loaded, the live table is as it was.`,
          `Next: "tender ops replay ${name}" goes on, "tender ops replay ${name} --to drop-old" gives it up.`,
        ],
  );
}

async function sayPlan(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  to: ReplayTarget,
): Promise<void> {
  const { schema, projection } = owned;
  if (to !== 'new') return sayPlannedTurn(system, terminal, owned, to);
  const plan = await planReplay(system, owned);
  const records = (await recordTables(system.readModels)).filter((table) =>
    table.startsWith(`${schema}.`),
  );
  tell(terminal, { dry_run: true, ...plan, records_left_alone: records }, [
    ...described(plan),
    `Records left alone: ${records.join(', ') || 'none'}.`,
    `Next: "tender ops replay ${projection.name}" does it. Nothing was changed.`,
  ]);
}

function described(plan: ReplayPlan): readonly string[] {
  const { projection, view, live_table, new_table, resumes, events_total } = plan;
  const modes = plan.modes.map(
    ({ mode, events }) => `${mode} ${events === null ? 'as many as there are' : grouped(events)}`,
  );
  return [
    `${projection}: ${resumes ? 'goes on with' : 'would make'} ${new_table} beside ${live_table}.`,
    `Events to read: ${events_total === null ? '' : `${grouped(events_total)}, `}by mode ${modes.join(', ')}.`,
    `Rows, by the last statistics: about ${grouped(plan.rows_estimated)}.`,
    `Then the view ${view} would turn to ${new_table}. Nothing would be sent.`,
  ];
}

async function sayPlannedTurn(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  to: Exclude<ReplayTarget, 'new'>,
): Promise<void> {
  const { table, name } = owned.projection;
  const generations = await readGenerations(system.readModels, owned.schema, owned.projection);
  const would =
    to === 'drop-old'
      ? `would drop ${tables(table, generations.filter(({ state }) => state !== 'live'))}`
      : `would put ${tables(table, [chosenOf(owned, generations, to)])} behind ${table}`;
  const next = 'Next: the same command without --dry-run does it. Nothing was changed.';
  tell(terminal, { dry_run: true, projection: name, would }, [`${name}: ${would}.`, next]);
}

async function putBack(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  to: number | 'roll-back',
): Promise<void> {
  const { projection } = owned;
  const { name } = projection;
  const generations = await readGenerations(system.readModels, owned.schema, projection);
  const { generation } = chosenOf(owned, generations, to);
  await promote(system, owned, generation);
  tell(terminal, { projection: name, generation, phase: 'live' }, [
    `${name}: ${generationTable(projection.table, generation)} is live.`,
    `Next: "tender ops replay ${name} --to drop-old" frees the space of the other one, "--to roll-back" goes back.`,
  ]);
}

async function dropOld(system: System, terminal: Terminal, owned: OwnedProjection): Promise<void> {
  const { name, table } = owned.projection;
  const dropped = await dropOldGenerations(system.readModels, owned);
  const what = tables(table, dropped.map((generation) => ({ generation })));
  tell(terminal, { projection: name, dropped }, [
    `${name}: dropped ${what}.`,
    'Next: nothing; "tender ops projections" shows what is left.',
  ]);
}

const tables = (view: string, some: readonly Pick<Generation, 'generation'>[]): string =>
  some.map(({ generation }) => generationTable(view, generation)).join(', ') || 'nothing';

/** A generation that can be live again: the given one, or the one that was live last. */
function chosenOf(
  { projection: { name } }: OwnedProjection,
  generations: readonly Generation[],
  to: number | 'roll-back',
): Generation {
  const kept = generations.filter(({ state }) => state === 'kept');
  const chosen =
    to === 'roll-back'
      ? kept.sort((one, other) => other.changed_at.localeCompare(one.changed_at))[0]
      : kept.find(({ generation }) => generation === to);
  if (chosen) return chosen;
  const there = generations.map(({ generation, state }) => `${generation} (${state})`).join(', ');
  throw new CommandFault(
    `${name} has no older table ${to === 'roll-back' ? 'to go back to' : `of generation ${to}`}; ` +
      `its generations are ${there}. Only a kept one can be put back.`,
  );
}
