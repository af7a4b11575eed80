import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSignerSettings } from './signer-settings';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tender-signers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (env: NodeJS.ProcessEnv) => readSignerSettings(env, folder);
const KEY = Buffer.alloc(32, 7).toString('base64');

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text, { mode: 0o600 });
  return place;
}

const near = () => ({
  SIGNER_A_URL: 'http://127.0.0.1:5001',
  SIGNER_B_URL: 'http://127.0.0.1:5002/',
  SIGNER_A_IDENTITY: 'A'.repeat(44),
  SIGNER_B_IDENTITY: 'B'.repeat(44),
  TREASURY_IDENTITY_FILE: file('identity', `${KEY}\n`),
  RECOVERY_PUBLIC_KEY: KEY,
});

const far = () => ({
  ...near(),
  SIGNER_A_URL: 'https://a.example:8443',
  SIGNER_B_URL: 'https://b.example:8443',
  SIGNER_TLS_CERT: file('cert', 'a certificate'),
  SIGNER_TLS_KEY: file('key', 'a key'),
  SIGNER_TLS_CA: file('ca', 'an authority'),
});

test('without signers there are none', () => {
  expect(read({})).toBeNull();
});

test('signers on this machine are reached by HTTP', () => {
  expect(read(near())).toMatchObject({
    urls: { A: 'http://127.0.0.1:5001', B: 'http://127.0.0.1:5002' },
    identity_seed: Buffer.alloc(32, 7),
    recovery_key: KEY,
    certificate: null,
  });
});

test('those elsewhere with certificates of both sides', () => {
  const certificate = { cert: 'a certificate', key: 'a key', ca: 'an authority' };
  expect(read(far())).toMatchObject({ certificate });
});

test.each([
  ...['SIGNER_B_URL', 'SIGNER_A_IDENTITY', 'RECOVERY_PUBLIC_KEY'],
])('one without the others is refused: %s', (name) => {
  expect(() => read({ ...near(), [name]: '' })).toThrow(`${name} is not set.`);
});

test('treasury’s identity is made once where no file is named, for its owner alone', () => {
  const env = { ...near(), TREASURY_IDENTITY_FILE: '' };
  const made = read(env)?.identity_seed;
  expect(made).toHaveLength(32);
  expect(read(env)?.identity_seed).toEqual(made);
  expect(statSync(path.join(folder, 'treasury-identity')).mode & 0o777).toBe(0o600);
});

test.each([
  ['SIGNER_A_URL leads to another machine', { SIGNER_A_URL: 'http://a.example:1' }],
  ['SIGNER_A_URL takes an origin', { SIGNER_A_URL: 'http://127.0.0.1:1/messages' }],
  ['SIGNER_A_IDENTITY takes', { SIGNER_A_IDENTITY: 'not base58' }],
  ['name one signer', { SIGNER_B_IDENTITY: 'A'.repeat(44) }],
  ['name one signer', { SIGNER_B_URL: 'http://127.0.0.1:5001' }],
  ['RECOVERY_PUBLIC_KEY takes 32 bytes', { RECOVERY_PUBLIC_KEY: 'AAAA' }],
])('%s', (sentence, changed) => {
  expect(() => read({ ...near(), ...changed })).toThrow(sentence);
});

test('files that others may read, and halves of certificates, are refused', () => {
  const env = far();
  expect(() => read({ ...env, SIGNER_TLS_CA: '' })).toThrow('are set together');
  chmodSync(env.SIGNER_TLS_KEY, 0o644);
  expect(() => read(env)).toThrow('SIGNER_TLS_KEY names');
  const open = near();
  chmodSync(open.TREASURY_IDENTITY_FILE, 0o644);
  expect(() => read(open)).toThrow('TREASURY_IDENTITY_FILE names');
});
