import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSubmissions1766300000000 implements MigrationInterface {
  readonly name = 'CreateSubmissions1766300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table chain_indexer.submissions (
        mode text not null,
        signature text not null,
        payment_id text not null,
        merchant_id text not null,
        customer_wallet text,
        is_ours boolean not null,
        signed_transaction text,
        last_valid_block_height bigint,
        expires_at_ms bigint not null,
        correlation_id text not null,
        primary key (mode, signature)
      )`);
    await runner.query(
      'create index submissions_of_payment on chain_indexer.submissions (payment_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table chain_indexer.submissions');
  }
}
