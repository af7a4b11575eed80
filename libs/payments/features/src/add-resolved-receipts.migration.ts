import { addViewColumn, dropViewColumn } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was recorded before receipts could be resolved is not resolved. */
export class AddResolvedReceipts1764400000000 implements MigrationInterface {
  readonly name = 'AddResolvedReceipts1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await addViewColumn(runner, 'payments.receipts', 'resolved', 'boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropViewColumn(runner, 'payments.receipts', 'resolved');
  }
}
