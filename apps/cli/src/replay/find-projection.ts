import { SERVICE_TABLES, type OwnedProjection } from '@tender/adapter-postgres';
import type { Sql } from '@tender/eventing';
import { CommandFault } from '../faults';
import { CONTEXTS, PROJECTIONS } from '../system';

/**
 * By its name, with or without version and context. Records are refused: they are primary data, nothing in the
 * log makes them again.
 */
export async function findProjection(sql: Sql, name: string): Promise<OwnedProjection> {
  const found = PROJECTIONS.filter(({ projection }) => namesOf(projection.name).includes(name));
  const [only] = found;
  if (only && found.length === 1) return only;
  const record = (await recordTables(sql)).find((table) => isNamed(table, name));
  if (record) {
    throw new CommandFault(
      `${record} is a record, not a projection: primary data that the log cannot make again. ` +
        'It belongs in every backup; a restore brings it back, a replay never touches it.',
    );
  }
  const known = PROJECTIONS.map(({ projection }) => projection.name).join(', ');
  throw new CommandFault(`There is no projection "${name}". There are ${known}.`);
}

/** `payments.receipts@1`, `payments.receipts`, `receipts` */
function namesOf(name: string): readonly string[] {
  const plain = name.replace(/@\d+$/, '');
  return [name, plain, plain.slice(plain.indexOf('.') + 1)];
}

/** `webhook_dispatcher.endpoint_queue` is meant by `webhook-dispatcher.endpoint-queue` and `endpoint-queue` too. */
function isNamed(table: string, name: string): boolean {
  const meant = name.replace(/@\d+$/, '').replaceAll('-', '_');
  return meant === table || meant === table.slice(table.indexOf('.') + 1);
}

/** Tables of the services that are no generation of a projection, nor of the machinery. */
export async function recordTables(sql: Sql): Promise<readonly string[]> {
  const schemas = CONTEXTS.map(({ schema }) => schema);
  const rows = await sql.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
      where schemaname = any($1) and tablename <> all($2)
      order by 1`,
    [schemas, SERVICE_TABLES],
  );
  const views = new Set(PROJECTIONS.map(({ projection }) => projection.table));
  return rows.map(({ name }) => name).filter((name) => !views.has(name.replace(/_g\d+$/, '')));
}
