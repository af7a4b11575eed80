import { createHash, generateKeyPairSync } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { apiKeyOf } from '@tender/contracts';
import { findSecrets } from './find-secrets';

/** Nothing that looks like a secret is written here: each is made anew, of bytes that look like chance. */
const bytes = (name: string): Buffer => createHash('sha256').update(name).digest();
const hex = bytes('hex').toString('hex');
const word = Buffer.concat([bytes('a word'), bytes('more of it')]).toString('base64').replaceAll(/[+/=]/g, 'x');
const capitals = hex.toUpperCase().replaceAll(/[^A-Z2-7]/g, 'Q');
const keypair = Keypair.fromSeed(bytes('seed'));
const pem = (type: 'pkcs8' | 'sec1', key = generateKeyPairSync('ec', { namedCurve: 'P-256' })) =>
  key.privateKey.export({ type, format: 'pem' }).toString();
const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const formsIn = async (text: string) => (await findSecrets('a/file.ts', text)).map(({ form }) => form);

const PLANTED: readonly (readonly [what: string, text: string, form: string])[] = [
  ['a test key', apiKeyOf('test', bytes('key')), 'api_key'],
  ['a live key', apiKeyOf('live', bytes('key')), 'api_key'],
  ['an admin token', `svc_admin_${hex}`, 'admin_token'],
  ['a webhook secret', `whsec_${bytes('secret').toString('base64')}`, 'webhook_secret'],
  ['a client secret', `pi_live_${word.slice(0, 22)}_secret_${word.slice(22, 65)}`, 'client_secret'],
  ['a Solana key file', JSON.stringify([...keypair.secretKey]), 'solana_key_array'],
  ['a Solana key file, line by line', JSON.stringify([...keypair.secretKey], null, 2), 'solana_key_array'],
  ['a Solana key in base58', bs58.encode(keypair.secretKey), 'solana_key_base58'],
  ['a PKCS #8 key', pem('pkcs8'), 'private_key'],
  ['a SEC 1 key', pem('sec1'), 'private_key'],
  ['an Ed25519 key', ed25519, 'private_key'],
  ['a key on one line of JSON', JSON.stringify({ key: ed25519 }), 'private_key'],
  ['the password of Postgres', `postgres://tender:${word.slice(0, 12)}@db.example/tender`, 'password_in_url'],
  ['the password of the event store', `esdb://admin:${hex}@store.example:2113?tls=true`, 'password_in_url'],
  ['the password of a node', `https://shop:${hex}@node.example/`, 'password_in_url'],
  ['the key of a node', `https://node.example/?api-key=${hex.slice(0, 32)}`, 'key_in_url'],
  ['a line of .env', `MASTER_KEY=${hex}`, 'setting'],
  ['a setting in YAML', `  INTERNAL_SECRET: '${bytes('internal').toString('base64')}'`, 'setting'],
  ['the id of an AWS key', `AKIA${capitals.slice(0, 16)}`, 'AWSAccessKeyID'],
  ['an AWS key', `aws_secret_access_key = "${word.slice(0, 40)}"`, 'AWSSecretAccessKey'],
  ['a GitHub token', `ghp_${word.slice(0, 36)}`, 'GITHUB_TOKEN'],
  ['a fine-grained GitHub token', `github_pat_${word.slice(0, 22)}_${word.slice(0, 59)}`, 'GITHUB_TOKEN'],
  ['an npm token', `npm_${word.slice(0, 36)}`, 'NPM_ACCESS_TOKEN'],
];

test.each(PLANTED)('%s is found', async (_, text, form) => {
  expect(await formsIn(text)).toContain(form);
  expect(await formsIn(`const it = '${text.replaceAll('\n', '\\n')}';`)).toContain(form);
});

const other = bytes('of no key').toString('hex');
const HARMLESS: readonly (readonly [what: string, text: string])[] = [
  ['a key with a wrong checksum', `svc_test_${word.slice(0, 43)}000000`],
  ['the form of a key', 'svc_test_… or svc_live_<49 characters>'],
  ['the form of a client secret', 'pi_test_…_secret_<43 characters>'],
  ['a signature in base58', bs58.encode(Buffer.concat([bytes('one'), bytes('two')]))],
  ['an address of Solana', keypair.publicKey.toBase58()],
  ['64 numbers', JSON.stringify([...bytes('one'), ...bytes('two')])],
  ['a public key', generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  ['a hash', `"integrity": "${other}"`],
  ['a password that is put in later', 'postgres://tender:${POSTGRES_PASSWORD}@postgres/tender'],
  ['a password that was taken out', 'postgres://tender:[redacted]@postgres/tender'],
  ['an address without one', 'postgres://tender@postgres:5432/tender and https://shop.example/a:b@c'],
  ['a setting that is read', 'MASTER_KEY: process.env.MASTER_KEY_OF_THIS_MACHINE_ALONE ?? readTheFile()'],
];

test.each(HARMLESS)('%s is none', async (_, text) => {
  expect(await formsIn(text)).toEqual([]);
});

test('a finding names place and fingerprint, and does not show the secret', async () => {
  const secret = apiKeyOf('live', bytes('key'));
  const [found, ...others] = await findSecrets('a/file.ts', `one line\n  key: ${secret}\n`);
  expect(found).toEqual({
    form: 'api_key',
    says: 'an API key of a merchant',
    line: 2,
    column: 8,
    fingerprint: createHash('sha256').update(secret).digest('hex').slice(0, 16),
  });
  expect(others).toEqual([]);
  expect(JSON.stringify(await findSecrets('a', `ghp_${word.slice(0, 36)}`))).not.toContain(word.slice(0, 36));
});

test('a comment in the file does not switch the scan off', async () => {
  expect(await formsIn(`/* secretlint-disable */\n// ${apiKeyOf('live', bytes('key'))}`)).toEqual(['api_key']);
});
