import type { Sql } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { GatheredReads } from '../connections/gathered-reads';

export class CreateSubjectKeys1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create table keyring.subject_keys (subject_id text primary key, wrapped text not null)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table keyring.subject_keys');
  }
}

/** Primary data: a subject is erased by deleting its row (E11). */
export const keyRingTables = {
  name: 'keyring',
  schema: 'keyring',
  migrations: [CreateSubjectKeys1763700000000],
};

/** True when there was a key: what is sealed under it cannot be read any more. */
export async function eraseSubjectKey(sql: Sql, subject_id: string): Promise<boolean> {
  const erased = await sql.query(
    'delete from keyring.subject_keys where subject_id = $1 returning subject_id',
    [subject_id],
  );
  return erased.length > 0;
}

interface WrappedKey {
  readonly subject_id: string;
  readonly wrapped: string;
}

const keyOf = ({ subject_id }: WrappedKey): string => subject_id;

/**
 * The wrapped keys of subjects; the first key that is kept for a subject stays. What is looked for in one turn of the
 * event loop is one statement, and what is kept is another, with one commit: most customers who pay are new, and each
 * commit is a synced write.
 */
export function postgresSubjectKeys(sql: Sql) {
  const loads = new GatheredReads({ keyOf, read: (subject_ids) => load(sql, subject_ids) });
  const offers = new Map<string, string>();
  const keeps = new GatheredReads({ keyOf, read: (ids) => keep(sql, takeOffers(ids)) });

  return {
    async load(subject_id: string): Promise<string | null> {
      const [found] = await loads.load(subject_id);
      return found?.wrapped ?? null;
    },
    async keep(subject_id: string, wrapped: string): Promise<string> {
      if (!offers.has(subject_id)) offers.set(subject_id, wrapped);
      const [kept] = await keeps.load(subject_id);
      invariant(kept, 'Postgres answers one key for each subject');
      return kept.wrapped;
    },
  };

  function takeOffers(subject_ids: readonly string[]): readonly WrappedKey[] {
    return subject_ids.map((subject_id) => {
      const wrapped = offers.get(subject_id) as string;
      offers.delete(subject_id);
      return { subject_id, wrapped };
    });
  }
}

const load = (sql: Sql, subject_ids: readonly string[]): Promise<WrappedKey[]> =>
  sql.query<WrappedKey>(
    'select subject_id, wrapped from keyring.subject_keys where subject_id = any($1)',
    [subject_ids],
  );

/** In the order of the ids, as every process does: none waits for another one that waits for it. */
function keep(sql: Sql, offered: readonly WrappedKey[]): Promise<WrappedKey[]> {
  return sql.query<WrappedKey>(
    `with offered as (
       select * from unnest($1::text[], $2::text[]) as offer (subject_id, wrapped)
     ), found as (
       select subject_id, wrapped from keyring.subject_keys where subject_id = any($1)
     ), added as (
       insert into keyring.subject_keys (subject_id, wrapped)
       select subject_id, wrapped from offered
        where subject_id not in (select subject_id from found) order by subject_id
       on conflict (subject_id) do update set wrapped = keyring.subject_keys.wrapped
       returning subject_id, wrapped
     )
     select * from found union all select * from added`,
    [offered.map(keyOf), offered.map(({ wrapped }) => wrapped)],
  );
}
