import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('payments', ['settlements']);

export class CreateSettlements1767000000000 implements MigrationInterface {
  readonly name = 'CreateSettlements1767000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table payments.settlements (
      id text primary key,
      state json not null,
      merchant_id text not null,
      mode text not null,
      payment_id text not null,
      status text not null,
      created_at text collate "C" not null,
      completed_at text
    )`);
    await runner.query(`create index settlements_of_merchant
      on payments.settlements (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index settlements_by_status
      on payments.settlements (merchant_id, mode, status, created_at desc, id desc)`);
    await runner.query(`create index settlements_under_way on payments.settlements (mode, created_at)
      where status in ('pending', 'processing')`);
    await runner.query(`create index settlements_of_payment on payments.settlements (payment_id)`);
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table payments.settlements');
  }
}
