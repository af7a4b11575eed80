import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Pool } from 'pg';

const DATABASE = path.join(
  path.dirname(require.resolve('@eventide/message-db/package.json')),
  'database',
);

/** Its schema as its install script makes it, without views and grants, which no append uses. */
const STATEMENTS = [
  'schema/message-store',
  'tables/messages',
  'types/message',
  ...[
    'message-store-version',
    'hash-64',
    'acquire-lock',
    'category',
    'is-category',
    'id',
    'cardinal-id',
    'stream-version',
    'write-message',
    'get-stream-messages',
    'get-category-messages',
    'get-last-stream-message',
  ].map((name) => `functions/${name}`),
  'indexes/messages-id',
  'indexes/messages-stream',
  'indexes/messages-category',
];

// Its functions name each other, and its table, without their schema.
const IN_ITS_SCHEMA = '-c search_path=message_store,public';

export async function installMessageDb(connection_string: string): Promise<void> {
  const client = new Client({ connectionString: connection_string, options: IN_ITS_SCHEMA });
  await client.connect();
  for (const name of STATEMENTS) {
    await client.query(readFileSync(path.join(DATABASE, `${name}.sql`), 'utf8'));
  }
  await client.query('CHECKPOINT');
  await client.end();
}

export const messageDbPool = (connection_string: string, max: number): Pool =>
  new Pool({ connectionString: connection_string, max, options: IN_ITS_SCHEMA });

/** One event to a stream that is not there yet. */
export interface FirstMessage {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  /** JSON. */
  readonly data: string;
  readonly metadata: string;
}

const NO_STREAM = -1;

/** Answers the position in the stream; throws when the stream is there. */
export async function writeFirst(pool: Pool, message: FirstMessage): Promise<number> {
  const { id, stream, type, data, metadata } = message;
  const { rows } = await pool.query<{ position: string }>({
    name: 'write-message',
    text: 'SELECT write_message($1, $2, $3, $4, $5, $6) AS position',
    values: [id, stream, type, data, metadata, NO_STREAM],
  });
  return Number(rows[0]?.position);
}
