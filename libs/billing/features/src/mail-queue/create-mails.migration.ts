import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times: `…_at` in milliseconds of business time, `lease_until` of wall time. */
export class CreateMails1795390600000 implements MigrationInterface {
  readonly name = 'CreateMails1795390600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table billing.mails');
  }
}

const UP = [
  // due_at: null when there is nothing to come. No address and no word of the mail: they are in the log, sealed there.
  `create table billing.mails (
    event_id text primary key,
    stream text not null,
    mode text not null,
    merchant_id text not null,
    correlation_id text not null,
    status text not null,
    attempts integer not null,
    due_at bigint,
    attempted_at bigint,
    detail text,
    lease_owner text,
    lease_until bigint,
    created_at bigint not null
  ) with (fillfactor = 80)`,
  'create index mails_due on billing.mails (due_at, event_id) where due_at is not null',
  'create index mails_leased on billing.mails (lease_owner) where lease_owner is not null',
];
