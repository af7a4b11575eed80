import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nothing looks attempts up by their delivery; each attempt had to be entered there. */
export class UnindexAttempts1795960000000 implements MigrationInterface {
  readonly name = 'UnindexAttempts1795960000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index webhook_dispatcher.attempts_of_delivery');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index attempts_of_delivery on webhook_dispatcher.attempts (delivery_id)');
  }
}
