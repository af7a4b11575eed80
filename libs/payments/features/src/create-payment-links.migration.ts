import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('payments', ['payment_links', 'link_uses']);
const PAYMENTS = `select generation from payments.generations where view = 'payment_details'`;
const indexOf = (generation: number): string => `payment_details_by_external_id_g${generation}`;

export class CreatePaymentLinks1764500000000 implements MigrationInterface {
  readonly name = 'CreatePaymentLinks1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table payments.payment_links (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index payment_links_of_merchant
      on payments.payment_links (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(
      'create table payments.link_uses (id text primary key, uses bigint not null)',
    );
    for (const statement of FIRST.up) await runner.query(statement);
    for (const { generation } of await generations(runner)) {
      await runner.query(`create index ${indexOf(generation)}
        on payments.payment_details_g${generation} (merchant_id, mode, (state->'terms'->>'external_id'))
        where (state->'terms'->>'external_id') is not null`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { generation } of await generations(runner)) {
      await runner.query(`drop index payments.${indexOf(generation)}`);
    }
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table payments.link_uses');
    await runner.query('drop table payments.payment_links');
  }
}

/** Of the payments’ table: it may have been rebuilt by now. */
const generations = (runner: QueryRunner): Promise<{ generation: number }[]> =>
  runner.query(PAYMENTS) as Promise<{ generation: number }[]>;
