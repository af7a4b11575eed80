import { firstGenerations, oneTimeCodeTables } from '@tender/eventing';
import { mailsTable } from '@tender/mail';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MAILS } from './dispute-codes/dispute-codes';

const FIRST = firstGenerations('refunds_disputes', ['disputes']);

export class CreateDisputes1795900200000 implements MigrationInterface {
  readonly name = 'CreateDisputes1795900200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table refunds_disputes.disputes (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      payment_id text not null,
      status text not null,
      dispute_type text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index disputes_of_merchant
      on refunds_disputes.disputes (merchant_id, mode, created_at desc, id desc)`);
    for (const statement of FIRST.up) await runner.query(statement);
    const made = [...oneTimeCodeTables('refunds_disputes'), ...mailsTable(MAILS)];
    for (const statement of made) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table refunds_disputes.one_time_codes, refunds_disputes.counted_tries, refunds_disputes.mails',
    );
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table refunds_disputes.disputes');
  }
}
