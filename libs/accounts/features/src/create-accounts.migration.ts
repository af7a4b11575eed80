import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccounts1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table accounts.merchants (
      id text primary key,
      state json not null,
      position text not null
    )`);
    await runner.query(`create table accounts.api_keys (
      id text primary key,
      merchant_id text not null,
      mode text not null,
      name text,
      key_hash text not null unique,
      is_active boolean not null,
      created_at text collate "C" not null
    )`);
    await runner.query(`create index api_keys_of_merchant
      on accounts.api_keys (merchant_id, mode, created_at desc, id desc)`);
    await runner.query(`create table accounts.key_usage (
      key_id text primary key,
      last_used_ms bigint not null
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table accounts.key_usage');
    await runner.query('drop table accounts.api_keys');
    await runner.query('drop table accounts.merchants');
  }
}
