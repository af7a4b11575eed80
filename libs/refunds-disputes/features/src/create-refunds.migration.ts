import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('refunds_disputes', ['refunds']);

export class CreateRefunds1795478400000 implements MigrationInterface {
  readonly name = 'CreateRefunds1795478400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table refunds_disputes.refunds (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      payment_id text not null,
      status text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index refunds_of_merchant
      on refunds_disputes.refunds (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index refunds_of_payment
      on refunds_disputes.refunds (payment_id, created_at desc, id desc)`);
    await runner.query(`create index refunds_under_way on refunds_disputes.refunds (mode, created_at)
      where status in ('pending', 'processing')`);
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table refunds_disputes.refunds');
  }
}
