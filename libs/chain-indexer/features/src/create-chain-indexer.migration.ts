import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateChainIndexer1763700000000 implements MigrationInterface {
  readonly name = 'CreateChainIndexer1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table chain_indexer.cursors (
        mode text primary key,
        genesis_hash text,
        slot bigint,
        watermark_ms bigint,
        moved_wall_ms bigint,
        owner text,
        lease_until timestamptz,
        epoch bigint not null default 0
      )`);
    await runner.query(`
      create table chain_indexer.watches (
        reference text primary key,
        payment_id text not null,
        mode text not null,
        merchant_id text not null,
        wallet text not null,
        account text not null,
        token text not null,
        mint text,
        due numeric(40, 0) not null,
        created_at timestamptz not null,
        expires_at_ms bigint not null,
        correlation_id text not null,
        lookup_due boolean not null,
        state text not null default 'open' check (state in ('open', 'paid', 'closed'))
      )`);
    await runner.query(
      `create index watches_open on chain_indexer.watches (mode) where state = 'open'`,
    );
    await runner.query(`
      create table chain_indexer.merchant_wallets (
        merchant_id text primary key,
        wallet text not null,
        accounts jsonb not null
      )`);
    await runner.query(`
      create table chain_indexer.held_credits (
        mode text not null,
        credit_id text not null,
        wallet text not null,
        seen_wall_ms bigint not null,
        primary key (mode, credit_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['held_credits', 'merchant_wallets', 'watches', 'cursors']) {
      await runner.query(`drop table chain_indexer.${table}`);
    }
  }
}
