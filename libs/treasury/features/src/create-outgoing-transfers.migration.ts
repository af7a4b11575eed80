import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('treasury', ['outgoing_transfers']);

export class CreateOutgoingTransfers1795425000000 implements MigrationInterface {
  readonly name = 'CreateOutgoingTransfers1795425000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table treasury.payout_fees (
      mode text not null,
      transfer_id text not null,
      attempt integer not null,
      lamports bigint not null,
      reserved_wall_ms bigint not null,
      ended_wall_ms bigint,
      primary key (mode, transfer_id, attempt)
    )`);
    await runner.query(
      `create index payout_fees_when on treasury.payout_fees (mode, reserved_wall_ms)`,
    );
    await runner.query(`create table treasury.outgoing_transfers (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      mode text not null,
      status text not null,
      is_open boolean not null,
      has_marker boolean not null
    )`);
    for (const column of ['is_open', 'has_marker']) {
      await runner.query(`create index outgoing_transfers_${column}
        on treasury.outgoing_transfers (mode, id) where ${column}`);
    }
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
    await runner.query('drop table treasury.outgoing_transfers');
    await runner.query('drop table treasury.payout_fees');
  }
}
