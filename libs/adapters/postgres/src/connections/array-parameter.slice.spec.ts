import fc from 'fast-check';
import { Client } from 'pg';
import { ask } from './ask';
import { preparedStatement } from './prepared-statement';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
let client: Client;
beforeAll(async () => {
  server = await startTestPostgres();
  client = new Client({ connectionString: await server.database() });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

const rowsOf = async (text: string, ...values: unknown[]) =>
  (await ask(client, preparedStatement(text, values))).rows;

/** Postgres has no place for NUL in a text. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', '{', ',', 'NULL', 'é', '\ud83d\ude00') }),
  )
  .filter((one) => !one.includes('\0') && one.isWellFormed());

it('reads an array of text back as it was, whatever the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, fc.constant(null))), async (elements) => {
      const [row] = await rowsOf('select $1::text[] as read, cardinality($1::text[]) as count', elements);
      expect(row).toEqual({ read: elements, count: elements.length });
    }),
  );
});

it('sends text and documents as they are, and nothing else', () => {
  const { values } = preparedStatement('select $1::text[], $2::json[], $3::bigint[], any($4)', [
    ...[['a'], ['{}'], [1], ['a']],
  ]);
  expect(values?.map((value) => Buffer.isBuffer(value))).toEqual([true, true, false, false]);
});

it('writes U+FFFD for half of a surrogate pair', async () => {
  expect(await rowsOf('select $1::text[] as read', ['\ud800'])).toEqual([{ read: ['\ufffd'] }]);
});

it('reads documents, and what is no text, beside them', async () => {
  const documents = [{ a: 'é"\\' }, [1, null], 'text'];
  const rows = await rowsOf(
    'select * from unnest($1::text[], $2::json[], $3::bigint[], $4::bool[]) as fresh (text, json, number, truth)',
    [1, true, undefined],
    documents.map((document) => JSON.stringify(document)),
    [9_007_199_254_740_993n, 2, null],
    [true, false, null],
  );
  expect(rows).toEqual([
    { text: '1', json: documents[0], number: '9007199254740993', truth: true },
    { text: 'true', json: documents[1], number: '2', truth: false },
    { text: null, json: documents[2], number: null, truth: null },
  ]);
});

it('leaves it to Postgres to refuse a text that is no JSON', async () => {
  await expect(rowsOf('select $1::json[] as read', ['{'])).rejects.toThrow(/json/);
});
