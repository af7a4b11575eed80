import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times: milliseconds of business time. Passkeys themselves are in the merchants’ streams. */
export class CreatePasskeys1795800100000 implements MigrationInterface {
  readonly name = 'CreatePasskeys1795800100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table accounts.passkey_challenges (
      id text primary key,
      purpose text not null,
      account text not null,
      challenge text not null,
      ends_ms bigint not null,
      used_ms bigint
    )`);
    await runner.query('create index passkey_challenges_over on accounts.passkey_challenges (ends_ms)');
    await runner.query(`create table accounts.passkey_uses (
      merchant_id text not null,
      passkey_id text not null,
      counter bigint not null,
      used_ms bigint not null,
      primary key (merchant_id, passkey_id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table accounts.passkey_uses');
    await runner.query('drop table accounts.passkey_challenges');
  }
}
