import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was a table becomes the first generation behind a view of its name, so that it can be swapped. */
export class KeepPaymentsGenerations1764000000000 implements MigrationInterface {
  readonly name = 'KeepPaymentsGenerations1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const view of VIEWS) {
      await runner.query(`alter table payments.${view} rename to ${view}_g1`);
      await runner.query(
        `create view payments.${view} as select * from payments.${view}_g1`,
      );
      await runner.query(
        `insert into payments.generations (view, generation, state) values ('${view}', 1, 'live')`,
      );
    }
  }

  /** Only while the first generation is the live one. */
  async down(runner: QueryRunner): Promise<void> {
    for (const view of VIEWS) {
      await runner.query(`drop view payments.${view}`);
      await runner.query(`alter table payments.${view}_g1 rename to ${view}`);
      await runner.query(`delete from payments.generations where view = '${view}'`);
    }
  }
}

const VIEWS = ['payment_details', 'receipts'];
