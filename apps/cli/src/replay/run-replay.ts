import { formerOf, holdReplay, ReplayIsTaken, type OwnedProjection } from '@tender/adapter-postgres';
import { generationTable, readGenerations, type Generation } from '@tender/eventing';
import type { Command, ReplayTarget } from '../arguments';
import { CommandFault, INTERRUPTED, NOT_SWAPPED } from '../faults';
import { PROJECTIONS, type System } from '../system';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { findProjection } from './find-projection';
import { hashOfLibraries } from './program-hash';
import { dropOld, promote } from './rebuild';
import { replayOne } from './replay-one';
import { sayPlan } from './say-plan';
import { tables } from './table-names';

type ReplayCommand = Extract<Command, { command: 'replay' }>;

/** `tender ops replay …`; answers the exit code. At a terminal it speaks English, elsewhere JSON lines. */
export async function runReplay(
  system: System,
  terminal: Terminal,
  { projection, dry_run, yes, to }: ReplayCommand,
): Promise<number> {
  const chosen =
    projection === null ? PROJECTIONS : [await findProjection(system.readModels, projection)];
  const { log_fault } = system;
  if (to === 'new' && log_fault !== null) {
    throw new CommandFault(`No table is made from this log: ${log_fault}.`);
  }
  const abort = new AbortController();
  terminal.onInterrupt(() => abort.abort());
  const program = hashOfLibraries();
  let code = 0;
  for (const owned of chosen) {
    if (dry_run && to === 'new') await sayPlan(system, terminal, owned, program);
    else if (dry_run) await sayPlannedTurn(system, terminal, owned, to as Turn);
    else {
      const outcome = await alone(system, owned, () =>
        to === 'new'
          ? replayOne({ system, terminal, owned, program, yes, signal: abort.signal })
          : turn(system, terminal, owned, to),
      );
      if (outcome === 'interrupted') return INTERRUPTED;
      if (outcome === 'not swapped') code = NOT_SWAPPED;
    }
    if (abort.signal.aborted) return INTERRUPTED;
  }
  return code;
}

/** No other command touches the tables of this projection meanwhile. */
async function alone<Result>(
  { readModels }: System,
  { projection }: OwnedProjection,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = await holdReplay(readModels, projection).catch((error: unknown) => {
    if (!(error instanceof ReplayIsTaken)) throw error;
    throw new CommandFault(
      `${error.message[0]?.toUpperCase()}${error.message.slice(1)}. Nothing was changed. Wait for it, or end it and run this again.`,
    );
  });
  try {
    return await work();
  } finally {
    // A connection that was lost has given the lock up already.
    await release().catch(() => undefined);
  }
}

type Turn = Exclude<ReplayTarget, 'new'>;

async function turn(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  to: Turn,
): Promise<'done'> {
  if (to === 'drop-old') await dropAllOld(system, terminal, owned);
  else await putBack(system, terminal, owned, to);
  return 'done';
}

async function sayPlannedTurn(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  to: Turn,
): Promise<void> {
  const { table, name } = owned.projection;
  const generations = await readGenerations(system.readModels, owned.schema, owned.projection);
  const would =
    to === 'drop-old'
      ? `would drop ${tables(table, generations.filter(({ state }) => state !== 'live'))}`
      : `would put ${tables(table, [chosenOf(owned, generations, to)])} behind ${table}`;
  const next = 'Next: the same command without --dry-run does it. Nothing was changed.';
  tell(terminal, { line: 'replay_plan', dry_run: true, projection: name, would }, [`${name}: ${would}.`, next]);
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
  tell(terminal, { line: 'replay', projection: name, generation, phase: 'live' }, [
    `${name}: ${generationTable(projection.table, generation)} is live.`,
    `Next: "tender ops replay ${name} --to drop-old" frees the space of the other one, "--to roll-back" goes back.`,
  ]);
}

async function dropAllOld(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
): Promise<void> {
  const { name, table } = owned.projection;
  const dropped = await dropOld(system, owned, { former: false });
  const what = tables(table, dropped.map((generation) => ({ generation })));
  tell(terminal, { line: 'replay', projection: name, phase: 'dropped', dropped }, [
    `${name}: dropped ${what}.`,
    'Next: nothing; "tender ops projections" shows what is left.',
  ]);
}

/** A generation that can be live again: the given one, or the one that was live last. */
function chosenOf(
  { projection: { name } }: OwnedProjection,
  generations: readonly Generation[],
  to: number | 'roll-back',
): Generation {
  const kept = generations.filter(({ state }) => state === 'kept');
  const chosen =
    to === 'roll-back'
      ? formerOf(kept)
      : kept.find(({ generation }) => generation === to);
  if (chosen) return chosen;
  const there = generations.map(({ generation, state }) => `${generation} (${state})`).join(', ');
  throw new CommandFault(
    `${name} has no older table ${to === 'roll-back' ? 'to go back to' : `of generation ${to}`}; ` +
      `its generations are ${there}. Only a kept one can be put back.`,
  );
}
