import type { OwnedProjection } from '@tender/adapter-postgres';
import type { System } from '../system';
import { grouped } from '../terminal/amounts';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { recordTables } from './find-projection';
import { planReplay, type ReplayPlan } from './plan-replay';

/** What a replay would do; nothing is changed. */
export async function sayPlan(
  system: System,
  terminal: Terminal,
  owned: OwnedProjection,
  program: string,
): Promise<void> {
  const { schema, projection } = owned;
  const plan = await planReplay(system, owned, program);
  const records = (await recordTables(system.readModels)).filter((table) =>
    table.startsWith(`${schema}.`),
  );
  const facts = { dry_run: true, ...plan, records_left_alone: records };
  tell(terminal, { line: 'replay_plan', ...facts }, [
    ...described(plan),
    `Records left alone: ${records.join(', ') || 'none'}.`,
    `Next: "tender ops replay ${projection.name}" does it. Nothing was changed.`,
  ]);
}

function described(plan: ReplayPlan): readonly string[] {
  const { projection, view, live_table, new_table, begun_at, replaces, events_total } = plan;
  const modes = plan.modes.map(
    ({ mode, events }) => `${mode} ${events === null ? 'as many as there are' : grouped(events)}`,
  );
  return [
    `${projection}: ${begun_at === null ? 'would make' : 'goes on with'} ${new_table} beside ${live_table}` +
      `${begun_at === null ? '' : `, begun ${begun_at}`}.`,
    ...(replaces === null ? [] : [`${replaces} was begun by another release, and would be dropped.`]),
    `Events to read: ${events_total === null ? '' : `${grouped(events_total)}, `}by mode ${modes.join(', ')}.`,
    `Rows, by the last statistics: about ${grouped(plan.rows_estimated)}.`,
    `Then both would be compared, and the view ${view} turned to ${new_table}. Nothing would be sent.`,
  ];
}
