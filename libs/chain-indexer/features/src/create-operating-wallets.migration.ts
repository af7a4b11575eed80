import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOperatingWallets1795453200000 implements MigrationInterface {
  readonly name = 'CreateOperatingWallets1795453200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table chain_indexer.operating_wallets (
        mode text not null,
        wallet text not null,
        merchant_id text not null,
        accounts jsonb not null,
        primary key (mode, wallet)
      )`);
    await runner.query(`
      create table chain_indexer.outgoing_transfers (
        mode text not null,
        signature text not null,
        merchant_id text not null,
        primary key (mode, signature)
      )`);
    await runner.query(`
      create table chain_indexer.wallet_look_ups (
        mode text not null,
        address text not null,
        primary key (mode, address)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['wallet_look_ups', 'outgoing_transfers', 'operating_wallets']) {
      await runner.query(`drop table chain_indexer.${table}`);
    }
  }
}
