import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was a table becomes the first generation behind a view of its name, so that it can be swapped. */
export class KeepEndpointGenerations1764000000000 implements MigrationInterface {
  readonly name = 'KeepEndpointGenerations1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const view of VIEWS) {
      await runner.query(`alter table webhook_dispatcher.${view} rename to ${view}_g1`);
      await runner.query(
        `create view webhook_dispatcher.${view} as select * from webhook_dispatcher.${view}_g1`,
      );
      await runner.query(
        `insert into webhook_dispatcher.generations (view, generation, state) values ('${view}', 1, 'live')`,
      );
    }
  }

  /** Only while the first generation is the live one. */
  async down(runner: QueryRunner): Promise<void> {
    for (const view of VIEWS) {
      await runner.query(`drop view webhook_dispatcher.${view}`);
      await runner.query(`alter table webhook_dispatcher.${view}_g1 rename to ${view}`);
      await runner.query(`delete from webhook_dispatcher.generations where view = '${view}'`);
    }
  }
}

const VIEWS = ['endpoints'];
