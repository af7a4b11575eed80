import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTreasury1764200000000 implements MigrationInterface {
  readonly name = 'CreateTreasury1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table treasury.spending (
        mode text not null,
        payment_id text not null,
        message_hash text not null,
        merchant_id text not null,
        customer_wallet text not null,
        address_hash text not null,
        source_account text not null,
        made_account text,
        lamports bigint not null,
        last_valid_block_height bigint not null,
        reserved_wall_ms bigint not null,
        ended_wall_ms bigint,
        failed boolean not null default false,
        primary key (mode, payment_id, message_hash)
      )`);
    for (const index of [
      // One transaction of a payment, and one out of an account, may land at a time.
      `unique index spending_of_payment on treasury.spending (mode, payment_id) where ended_wall_ms is null`,
      `unique index spending_of_source on treasury.spending (mode, source_account) where ended_wall_ms is null`,
      // The sponsor makes an account once.
      `unique index spending_made on treasury.spending (mode, made_account) where made_account is not null`,
      `index spending_when on treasury.spending (mode, reserved_wall_ms)`,
    ]) {
      await runner.query(`create ${index}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table treasury.spending');
  }
}
