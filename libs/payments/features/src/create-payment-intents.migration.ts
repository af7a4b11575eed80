import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('payments', ['payment_intents']);

export class CreatePaymentIntents1766400000000 implements MigrationInterface {
  readonly name = 'CreatePaymentIntents1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table payments.payment_intents (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      status text not null,
      due_at text collate "C",
      created_at text collate "C" not null
    )`);
    await runner.query(`create index payment_intents_of_merchant
      on payments.payment_intents (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index payment_intents_by_status
      on payments.payment_intents (merchant_id, mode, status, created_at desc, id desc)`);
    await runner.query(`create index payment_intents_due on payments.payment_intents (due_at)
      where due_at is not null`);
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table payments.payment_intents');
  }
}
