import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('billing', ['invoices']);

export class CreateInvoices1795392000000 implements MigrationInterface {
  readonly name = 'CreateInvoices1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table billing.invoices (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      status text not null,
      year text not null,
      book integer not null,
      due_at text collate "C",
      created_at text collate "C" not null
    )`);
    await runner.query(`create index invoices_of_merchant
      on billing.invoices (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create index invoices_by_book
      on billing.invoices (merchant_id, mode, year, book desc)`);
    await runner.query(`create index invoices_due on billing.invoices (due_at) where due_at is not null`);
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table billing.invoices');
  }
}
