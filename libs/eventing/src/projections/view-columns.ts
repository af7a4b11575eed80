import { generationTable } from './generations';

/** Of a migration. */
interface Runner {
  query(statement: string, values?: unknown[]): Promise<unknown>;
}

interface Row {
  readonly generation: number;
  readonly state: string;
}

/** Adds a column to every table of a view, and to the view: `table` is qualified. */
export async function addViewColumn(
  runner: Runner,
  table: string,
  column: string,
  definition: string,
): Promise<void> {
  const generations = await generationsOf(runner, table);
  for (const { generation } of generations) {
    const into = generationTable(table, generation);
    await runner.query(`alter table ${into} add column ${column} ${definition}`);
  }
  await runner.query(viewOf(table, generations, 'create or replace view'));
}

/** Takes it away again. */
export async function dropViewColumn(runner: Runner, table: string, column: string): Promise<void> {
  const generations = await generationsOf(runner, table);
  await runner.query(`drop view ${table}`);
  for (const { generation } of generations) {
    await runner.query(`alter table ${generationTable(table, generation)} drop column ${column}`);
  }
  await runner.query(viewOf(table, generations, 'create view'));
}

async function generationsOf(runner: Runner, table: string): Promise<readonly Row[]> {
  const [schema, view] = table.split('.');
  const rows = await runner.query(
    `select generation, state from ${schema}.generations where view = $1 order by generation`,
    [view],
  );
  return rows as readonly Row[];
}

function viewOf(table: string, generations: readonly Row[], create: string): string {
  const live = generations.find(({ state }) => state === 'live');
  if (!live) throw new Error(`no table of ${table} is behind its view`);
  return `${create} ${table} as select * from ${generationTable(table, live.generation)}`;
}
