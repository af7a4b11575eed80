import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times: milliseconds of business time. Of a session’s token only the SHA-256 is kept. */
export class CreateSessions1795800000000 implements MigrationInterface {
  readonly name = 'CreateSessions1795800000000';

  async up(runner: QueryRunner): Promise<void> {
    // client_sealed: address and browser, under the merchant’s own key, so that they can be erased.
    await runner.query(`create table accounts.sessions (
      id text primary key,
      merchant_id text not null,
      token_hash text not null unique,
      method text not null,
      passkey_id text,
      client_sealed text not null,
      started_ms bigint not null,
      seen_ms bigint not null,
      ends_ms bigint not null,
      ended_ms bigint
    )`);
    await runner.query('create index sessions_of_merchant on accounts.sessions (merchant_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table accounts.sessions');
  }
}
