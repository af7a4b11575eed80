import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { watchChild } from '@tender/kernel';
import { Client } from 'pg';
import { chooseAccount } from '../account';
import { packagedBinaries } from '../binaries';
import { placesIn } from '../cluster';
import { launch, type Server } from '../server';
import { ENVIRONMENT } from '../settings';

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function query(connectionString: string, ...texts: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const text of texts) rows = (await client.query(text)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** What a signer tells of its password. */
export function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256');
  const key = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`;
}

/** Of every kind that the program makes, or has made, or may make. */
const OBJECTS = [
  'create schema payments',
  "create type payments.state as enum ('pending', 'paid')",
  'create domain payments.cents as bigint check (value >= 0)',
  'create type payments.amount as (cents bigint, currency text)',
  'create sequence payments.numbers',
  `create table payments.list_g1 (place bigint generated always as identity primary key, n serial,
    state payments.state not null, cents payments.cents not null)`,
  'create index list_by_cents on payments.list_g1 (cents desc)',
  'create statistics payments.of_list (dependencies) on state, cents from payments.list_g1',
  'create view payments.list as select * from payments.list_g1',
  'create materialized view payments.totals as select sum(cents) from payments.list_g1',
  'create table payments.parts (at int) partition by range (at)',
  'create table payments.parts_1 partition of payments.parts for values from (0) to (10)',
  `create function payments.touch() returns trigger language plpgsql as 'begin return new; end'`,
  `create procedure payments.nothing(n int) language sql as 'select n'`,
  'create trigger touched before update on payments.list_g1 for each row execute function payments.touch()',
  'create table tender_migrations (name text)',
  "insert into payments.list_g1 (state, cents) select 'paid', n from generate_series(1, 1000) as n",
];

/** A data folder as releases before made it, whose program was killed: the server, left over, still runs. */
export async function folderOfReleaseBefore(dataDir: string): Promise<Server> {
  mkdirSync(dataDir);
  const places = placesIn(dataDir);
  const account = chooseAccount(packagedBinaries());
  const password = randomBytes(24).toString('hex');
  writeFileSync(places.password, `${password}\n`, { mode: 0o600 });
  mkdirSync(places.cluster, { mode: 0o700 });
  [places.password, places.cluster].forEach((path) => account.own(path));
  const file = openSync(places.password, 'r');
  const made = account.run(
    'initdb',
    places.cluster,
    [
      ...['--username=tender', '--pwfile=/dev/stdin', '--auth=scram-sha-256', '--encoding=UTF8'],
      ...['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ],
    { stdio: [file, 'ignore', 'pipe'], cwd: '/', env: ENVIRONMENT },
  );
  const { closed, said } = watchChild(made);
  if ((await closed) !== '0') throw new Error(said());
  closeSync(file);
  const server = await launch(places.cluster, account, silent, {});
  await query(`postgres://tender:${password}@127.0.0.1:${server.port}/postgres`, ...OBJECTS);
  return server;
}
