import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('billing', ['installment_plans']);

export class CreateInstallmentPlans1795391000000 implements MigrationInterface {
  readonly name = 'CreateInstallmentPlans1795391000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table billing.installment_plans (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      customer_wallet text not null,
      due_at text collate "C",
      created_at text collate "C" not null
    )`);
    await runner.query(`create index installment_plans_of_merchant
      on billing.installment_plans (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index installment_plans_of_wallet
      on billing.installment_plans (merchant_id, mode, customer_wallet, created_at desc, id desc)`);
    await runner.query(`create index installment_plans_due on billing.installment_plans (due_at)
      where due_at is not null`);
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table billing.installment_plans');
  }
}
