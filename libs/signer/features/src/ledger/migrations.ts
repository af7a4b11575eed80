/** Of a signer’s own database, in their order; what was released is never edited. */
export const MIGRATIONS: readonly string[] = [
  `create table signer (
     only_row boolean primary key default true check (only_row),
     role text not null check (role in ('A', 'B')),
     kek_id text not null,
     kek_check text not null
   );
   create table wallets (
     address text primary key,
     merchant_id text not null,
     mode text not null check (mode in ('test', 'live')),
     epoch integer not null,
     roster jsonb not null,
     sealed_share jsonb not null,
     frozen_ms bigint,
     frozen_reason text
   );
   create table operations (
     id text primary key,
     wallet text not null references wallets (address),
     op_digest text not null,
     state text not null
       check (state in ('reserved', 'share_out', 'settled', 'failed_on_chain', 'released')),
     asset text not null,
     amount numeric(20) not null check (amount > 0),
     credit text,
     usd_cents bigint not null check (usd_cents >= 0),
     reserved_ms bigint not null,
     session text not null,
     session_ends_ms bigint not null,
     marker text not null,
     message bytea not null,
     dead_after_height bigint not null,
     seen_slot bigint not null
   );
   create index operations_that_count on operations (wallet, reserved_ms)
     where state in ('reserved', 'share_out', 'settled');
   create index operations_of_credit on operations (credit) where credit is not null;
   create table journal (
     place bigint generated always as identity primary key,
     at_ms bigint not null,
     what text not null,
     wallet text not null,
     operation_id text,
     session text,
     intent_digest text
   );
   create unique index journal_burned on journal (session) where what = 'burned';`,
  'create index wallets_of_merchant on wallets (merchant_id, mode)',
  // A merchant's own wallet serves both modes.
  `alter table wallets drop constraint wallets_mode_check;
   alter table wallets add constraint wallets_mode_check check (mode in ('test', 'live', 'all'));`,
  `alter table wallets add column day_limit_cents bigint check (day_limit_cents > 0);
   alter table journal alter column wallet drop not null;
   alter table journal add column merchant_id text;
   alter table journal add column credential_id text;
   create table passkeys (
     credential_id text primary key,
     merchant_id text not null,
     public_key text not null,
     counter bigint not null default 0,
     pinned_ms bigint not null
   );
   create index passkeys_of_merchant on passkeys (merchant_id);
   create table proofs (
     nonce text primary key,
     digest text not null,
     credential_id text not null,
     used_ms bigint not null
   );`,
  // What came to a settlement wallet counts for all operating wallets that settle there.
  `alter table operations add column credited_wallet text;
   update operations set credited_wallet = wallet where credit is not null;
   alter table operations add constraint operations_credited
     check ((credit is null) = (credited_wallet is null));`,
];
