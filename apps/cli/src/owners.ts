import { keyRingTables, ratesTables } from '@tender/adapter-postgres';
import { COMPOSITION } from '@tender/composition';
import { gatewayTables } from '@tender/edge';
import { CONTEXTS } from './system';

/** Whatever has tables of its own. */
export const OWNERS = [keyRingTables, ratesTables, gatewayTables, ...CONTEXTS];

export const SCHEMAS: readonly string[] = OWNERS.map(({ schema }) => schema);

/** The changes of tables that this release knows, each of which runs once. */
export const MIGRATIONS = OWNERS.flatMap(({ migrations }) => migrations);

/** The same by name, also of contexts whose process may not have begun yet. */
export const KNOWN_MIGRATIONS: ReadonlySet<string> = new Set(
  [...OWNERS, ...Object.values(COMPOSITION)].flatMap(({ migrations }) =>
    migrations.map(({ name }) => name),
  ),
);
