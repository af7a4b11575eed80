import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('fraud', ['rules', 'block_entries', 'sanctions', 'flags']);

const VIEW_COLUMNS = 'id text primary key, state json not null, position text not null';

const TABLES = [
  `create table fraud.rules (${VIEW_COLUMNS})`,
  `create table fraud.block_entries (${VIEW_COLUMNS})`,
  `create table fraud.sanctions (${VIEW_COLUMNS})`,
  `create table fraud.flags (
    ${VIEW_COLUMNS},
    merchant_id text not null,
    mode text not null,
    payment_id text not null,
    action text not null,
    severity text not null,
    resolved text not null,
    resolution_type text,
    amount_usd_cents bigint not null,
    created_at text collate "C" not null
  )`,
  'create index flags_of_merchant on fraud.flags (merchant_id, mode, created_at desc, id desc)',
  'create index flags_in_order on fraud.flags (created_at desc, id desc)',
  `create table fraud.screenings (
    key text collate "C" primary key,
    mode text not null,
    merchant_id text not null,
    payment_id text not null,
    stage text not null,
    customer_wallet text,
    ip_hash text,
    email_hash text,
    amount_usd_cents bigint not null,
    score int not null,
    fraud_score int not null,
    action text not null,
    at_ms bigint not null,
    writer text not null,
    written_in xid8 not null default pg_current_xact_id()
  )`,
  'create index screenings_of_merchant on fraud.screenings (merchant_id, mode, at_ms desc)',
  `create index screenings_of_subjects on fraud.screenings (at_ms)
    where customer_wallet is not null or ip_hash is not null or email_hash is not null`,
  `create index screenings_written on fraud.screenings (written_in)
    where customer_wallet is not null or ip_hash is not null or email_hash is not null`,
  'create table fraud.paying_wallets (mode text, wallet text, primary key (mode, wallet))',
  `create table fraud.sanctioned_wallets (
    list_id text not null, wallet text not null, primary key (list_id, wallet)
  )`,
];

export class CreateFraud1764100000000 implements MigrationInterface {
  readonly name = 'CreateFraud1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...FIRST.up]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    const names =
      'rules, block_entries, sanctions, flags, screenings, paying_wallets, sanctioned_wallets';
    for (const name of names.split(', ')) await runner.query(`drop table fraud.${name}`);
  }
}
