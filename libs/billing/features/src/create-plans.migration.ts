import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('billing', ['plans']);

export class CreatePlans1795389279200 implements MigrationInterface {
  readonly name = 'CreatePlans1795389279200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table billing.plans (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index plans_of_merchant
      on billing.plans (merchant_id, mode, created_at desc, id desc)`);
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table billing.plans');
  }
}
