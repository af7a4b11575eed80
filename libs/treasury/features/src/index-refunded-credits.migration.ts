import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexOf = (generation: number): string => `outgoing_transfers_by_credit_g${generation}`;

/** Finds all refunds of one credit. */
export class IndexRefundedCredits1795426000000 implements MigrationInterface {
  readonly name = 'IndexRefundedCredits1795426000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { generation } of await generations(runner)) {
      await runner.query(`create index ${indexOf(generation)}
        on treasury.outgoing_transfers_g${generation} ((state->'transfer'->>'credit'))
        where (state->'transfer'->>'credit') is not null`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { generation } of await generations(runner)) {
      await runner.query(`drop index treasury.${indexOf(generation)}`);
    }
  }
}

/** The table may have been rebuilt by now. */
const generations = (runner: QueryRunner): Promise<{ generation: number }[]> =>
  runner.query(`select generation from treasury.generations where view = 'outgoing_transfers'`) as Promise<
    { generation: number }[]
  >;
