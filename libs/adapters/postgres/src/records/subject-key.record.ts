import type { Sql } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

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
  entities: [],
};

/** True when there was a key: what is sealed under it cannot be read any more. */
export async function eraseSubjectKey(sql: Sql, subject_id: string): Promise<boolean> {
  const erased = await sql.query(
    'delete from keyring.subject_keys where subject_id = $1 returning subject_id',
    [subject_id],
  );
  return erased.length > 0;
}

/** The wrapped keys of subjects; the first key that is saved for a subject stays. */
export const postgresSubjectKeys = (sql: Sql) => ({
  async load(subject_id: string): Promise<string | null> {
    const [row] = await sql.query<{ wrapped: string }>(
      'select wrapped from keyring.subject_keys where subject_id = $1',
      [subject_id],
    );
    return row?.wrapped ?? null;
  },
  async save(subject_id: string, wrapped: string): Promise<string> {
    const [row] = await sql.query<{ wrapped: string }>(
      `insert into keyring.subject_keys (subject_id, wrapped) values ($1, $2)
       on conflict (subject_id) do update set wrapped = keyring.subject_keys.wrapped
       returning wrapped`,
      [subject_id, wrapped],
    );
    return row?.wrapped ?? wrapped;
  },
});
