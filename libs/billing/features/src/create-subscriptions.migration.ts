import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('billing', ['subscriptions', 'charges']);

export class CreateSubscriptions1795390000000 implements MigrationInterface {
  readonly name = 'CreateSubscriptions1795390000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table billing.subscriptions (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      due_at text collate "C",
      created_at text collate "C" not null
    )`);
    await runner.query(`create index subscriptions_of_merchant
      on billing.subscriptions (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index subscriptions_due on billing.subscriptions (due_at)
      where due_at is not null`);
    await runner.query(`create table billing.charges (
      id text primary key,
      noun text not null,
      object_id text not null,
      part integer not null
    )`);
    await runner.query('create index charges_of_object on billing.charges (object_id, part)');
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table billing.charges');
    await runner.query('drop table billing.subscriptions');
  }
}
