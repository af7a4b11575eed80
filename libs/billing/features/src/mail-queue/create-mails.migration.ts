import { mailsTable } from '@tender/mail';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMails1795390600000 implements MigrationInterface {
  readonly name = 'CreateMails1795390600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of mailsTable('billing.mails')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table billing.mails');
  }
}
