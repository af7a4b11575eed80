import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateHeldMoney1795600000000 implements MigrationInterface {
  readonly name = 'CreateHeldMoney1795600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table treasury.held_money (
      mode text not null,
      payment_id text not null,
      wallet text not null,
      asset text not null,
      amount numeric not null,
      signature text not null,
      settled_by text,
      is_freed boolean not null default false,
      primary key (mode, payment_id)
    )`);
    await runner.query(`create index held_money_of_wallet on treasury.held_money (mode, wallet, asset)
      where not is_freed`);
    await runner.query(`create index held_money_by_signature on treasury.held_money (mode, signature)
      where not is_freed`);
    await runner.query(`create table treasury.leaving_money (
      mode text not null,
      transfer_id text not null,
      wallet text not null,
      asset text not null,
      amount numeric not null,
      ended_wall_ms bigint,
      primary key (mode, transfer_id)
    )`);
    await runner.query(`create index leaving_money_of_wallet on treasury.leaving_money (mode, wallet, asset)`);
    await runner.query(`create index leaving_money_ended on treasury.leaving_money (mode, ended_wall_ms)
      where ended_wall_ms is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table treasury.leaving_money');
    await runner.query('drop table treasury.held_money');
  }
}
