import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which request a delivery goes back to: its attempts land in that request's trace and log lines. */
export class TraceDeliveries1763900000000 implements MigrationInterface {
  readonly name = 'TraceDeliveries1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_dispatcher.deliveries add column correlation_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_dispatcher.deliveries drop column correlation_id');
  }
}
