import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePayments1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table payments.payment_details (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index payment_details_of_merchant
      on payments.payment_details (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create table payments.receipts (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      payment_id text,
      reason text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index receipts_of_merchant
      on payments.receipts (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index receipts_of_payment on payments.receipts (payment_id)
      where payment_id is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table payments.receipts');
    await runner.query('drop table payments.payment_details');
  }
}
