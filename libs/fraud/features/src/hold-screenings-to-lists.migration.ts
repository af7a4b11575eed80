import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `create table fraud.sanctions_lists (
    list_id uuid primary key, sha256 text not null, issued_on date not null, rescanned boolean not null default false
  )`,
  `insert into fraud.sanctions_lists (list_id, sha256, issued_on)
    select (state->'list'->>'list_id')::uuid, state->'list'->>'sha256', (state->'list'->>'issued_on')::date
    from fraud.sanctions where state->'list'->>'list_id' is not null`,
  'alter table fraud.screenings add column sanctions_list uuid',
  `alter table fraud.paying_wallets
    add column paid_at_ms bigint,
    add column payment_id text,
    add column merchant_id text,
    add column amount_usd_cents bigint`,
];

const DOWN = [
  `alter table fraud.paying_wallets
    drop column paid_at_ms, drop column payment_id, drop column merchant_id, drop column amount_usd_cents`,
  'alter table fraud.screenings drop column sanctions_list',
  'drop table fraud.sanctions_lists',
];

/** Says to which sanctions list a screening was held, and of a wallet that has paid, which payment was its newest. */
export class HoldScreeningsToLists1766400000000 implements MigrationInterface {
  readonly name = 'HoldScreeningsToLists1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
