/** A name that may stand in SQL as it is. */
const PLAIN_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** Throws on anything but a plain lower-case name: schema names are written into statements. */
export function plainName(name: string): string {
  if (!PLAIN_NAME.test(name)) throw new Error(`not a plain schema name: ${name}`);
  return name;
}

/** `chain-indexer` keeps its tables in the schema `chain_indexer`. */
export const schemaOf = (context: string): string => plainName(context.replaceAll('-', '_'));

/** Tables of every service that are neither its records nor its projections. */
export const SERVICE_TABLES = [
  ...['checkpoints', 'parked', 'parked_dropped', 'generations', 'leases'],
  ...['invariant_passes', 'invariant_violations'],
];

/** What every service has, beside its own migrations. */
export const serviceSchema = (schema: string): string => `
  create schema if not exists ${plainName(schema)};
  create table if not exists ${schema}.checkpoints (
    follower text primary key,
    position text,
    epoch bigint not null,
    owner text not null,
    updated_at timestamptz not null default now()
  );
  create table if not exists ${schema}.parked (
    id bigint generated always as identity primary key,
    consumer text not null,
    mode text not null,
    key text not null,
    position text not null,
    message jsonb not null,
    tries int not null,
    next_try_at timestamptz,
    error text,
    parked_at timestamptz not null default now(),
    constraint parked_once unique (consumer, mode, position)
  );
  -- Part of the messages that only one follower drains, such as a partition; databases of older releases lack it.
  alter table ${schema}.parked add column if not exists lane text not null default '';
  create table if not exists ${schema}.parked_dropped (
    id bigint primary key,
    consumer text not null,
    mode text not null,
    key text not null,
    position text not null,
    message jsonb not null,
    tries int not null,
    error text,
    parked_at timestamptz not null,
    reason text not null,
    dropped_by text not null,
    dropped_at timestamptz not null default now()
  );
  create table if not exists ${schema}.generations (
    view text not null,
    generation int not null,
    state text not null,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (view, generation)
  );
  create unique index if not exists generations_live on ${schema}.generations (view)
    where state = 'live';
  create index if not exists parked_by_key on ${schema}.parked (consumer, mode, key, id);
  create table if not exists ${schema}.leases (
    name text primary key,
    owner text not null,
    until timestamptz not null,
    epoch bigint not null
  );
${invariantTables(schema)}`;

const invariantTables = (schema: string): string => `
  create table if not exists ${schema}.invariant_passes (
    kind text primary key,
    position text,
    walked_to text not null
  );
  create table if not exists ${schema}.invariant_violations (
    invariant text not null,
    mode text not null,
    stream text not null,
    says text not null,
    found_at timestamptz not null default now(),
    primary key (invariant, stream)
  );
`;
