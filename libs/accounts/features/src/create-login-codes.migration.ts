import { oneTimeCodeTables } from '@tender/eventing';
import { mailsTable } from '@tender/mail';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLoginCodes1795800200000 implements MigrationInterface {
  readonly name = 'CreateLoginCodes1795800200000';

  async up(runner: QueryRunner): Promise<void> {
    const made = [...oneTimeCodeTables('accounts'), ...mailsTable('accounts.mails')];
    for (const statement of made) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table accounts.one_time_codes, accounts.counted_tries, accounts.mails');
  }
}
