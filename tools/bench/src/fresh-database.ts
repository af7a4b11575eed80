import { randomUUID } from 'node:crypto';
import type { Bench } from './bench';
import { withClient } from './machine/postgres';

export interface FreshDatabase {
  readonly connection_string: string;
  drop(): Promise<void>;
}

/** An empty database on the throwaway server, and nothing left to write down for earlier rounds. */
export async function freshDatabase(bench: Bench, use: string): Promise<FreshDatabase> {
  const { connection_string: server } = await bench.server();
  const name = `${use}_${randomUUID().replaceAll('-', '')}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name}`));
  await withClient(server, (client) => client.query('CHECKPOINT'));
  return {
    connection_string: server.replace(/\/[^/]*$/, `/${name}`),
    async drop() {
      await withClient(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}
