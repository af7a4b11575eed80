import { base58 } from '@tender/transactions';
import { EXAMPLE_RECOVERY_KEY } from './example-recovery-key';
import { readSettings } from './read-settings';

const key = (fill: number) => base58(Buffer.alloc(32, fill));
const LOCAL = {
  SIGNER_ROLE: 'A',
  SIGNER_DIR: '/var/lib/signer-a',
  PORT: '0',
  SIGNER_DATABASE_URL: 'postgres://signer_a@127.0.0.1:5432/signer_a',
  TREASURY_IDENTITY: key(2),
  PEER_IDENTITY: key(3),
  SOLANA_RPC_URL_TEST: 'http://127.0.0.1:1, http://127.0.0.1:2',
  SOLANA_RPC_URL_LIVE: 'http://127.0.0.1:3',
  SOLANA_GENESIS_TEST: key(4),
  SOLANA_GENESIS_LIVE: key(5),
};
const RECOVERY_KEY = Buffer.alloc(32, 7).toString('base64');
/** The same on the public networks. */
const PUBLIC = {
  ...{ ...LOCAL, SOLANA_GENESIS_TEST: '', SOLANA_GENESIS_LIVE: '' },
  ...{ KEK_FD: '3', RECOVERY_KEY, APPROVAL_URL: 'https://approve.example.com/' },
};

test('a signer of local chains needs no more', () => {
  expect(readSettings(LOCAL)).toMatchObject({
    ...{ role: 'A', listen: { host: '127.0.0.1', port: 0, tls: null }, kek_fd: null },
    limits: { day_limit_cents: 1_000_000, sol_usd_cents: 50_000 },
    pinned: { recovery_key: EXAMPLE_RECOVERY_KEY },
    approval: { origin: 'http://localhost:8090', rp_id: 'localhost' },
    chains: { test: { rpc_urls: ['http://127.0.0.1:1', 'http://127.0.0.1:2'], is_local: true } },
  });
});

test('a signer of the public networks gets its keys from elsewhere', () => {
  expect(readSettings(PUBLIC)).toMatchObject({
    ...{ kek_fd: 3, chains: { live: { is_local: false } } },
    approval: { origin: 'https://approve.example.com', rp_id: 'approve.example.com' },
  });
});

test.each([
  ['KEK_FD', { ...PUBLIC, KEK_FD: '' }],
  ['RECOVERY_KEY', { ...PUBLIC, RECOVERY_KEY: EXAMPLE_RECOVERY_KEY }],
  ['RECOVERY_KEY', { ...PUBLIC, RECOVERY_KEY: '' }],
  ['RECOVERY_KEY', { ...PUBLIC, RECOVERY_KEY: Buffer.alloc(32).toString('base64') }],
  ['APPROVAL_URL', { ...PUBLIC, APPROVAL_URL: '' }],
  ['APPROVAL_URL', { ...PUBLIC, APPROVAL_URL: 'approve.example.com' }],
  ['APPROVAL_URL', { ...PUBLIC, APPROVAL_URL: 'http://approve.example.com' }],
  ['SIGNER_ROLE', { ...LOCAL, SIGNER_ROLE: 'R' }],
  ['SIGNER_ROLE', { ...LOCAL, SIGNER_ROLE: undefined }],
  ['SIGNER_DIR', { ...LOCAL, SIGNER_DIR: 'here' }],
  ['PORT', { ...LOCAL, PORT: '65536' }],
  ['HOST', { ...LOCAL, HOST: '0.0.0.0' }],
  ['SIGNER_TLS_KEY and SIGNER_TLS_CA', { ...LOCAL, SIGNER_TLS_CERT: 'cert.pem' }],
  ['SIGNER_DATABASE_URL', { ...LOCAL, SIGNER_DATABASE_URL: `postgres://a:${'hush'}@host/a` }],
  ['SIGNER_DATABASE_URL', { ...LOCAL, SIGNER_DATABASE_URL: 'postgres://host/a' }],
  ['TREASURY_IDENTITY', { ...LOCAL, TREASURY_IDENTITY: 'none' }],
  ['PEER_IDENTITY', { ...LOCAL, PEER_IDENTITY: LOCAL.TREASURY_IDENTITY }],
  ['SOLANA_RPC_URL_TEST', { ...LOCAL, SOLANA_RPC_URL_TEST: '' }],
  ['SOLANA_RPC_URL_LIVE', { ...LOCAL, SOLANA_RPC_URL_LIVE: 'ws://127.0.0.1' }],
  ['SOLANA_RPC_URL_TEST and SOLANA_RPC_URL_LIVE', { ...LOCAL, SOLANA_RPC_URL_LIVE: LOCAL.SOLANA_RPC_URL_TEST }],
  ['SOLANA_GENESIS_TEST', { ...LOCAL, SOLANA_GENESIS_LIVE: LOCAL.SOLANA_GENESIS_TEST }],
  ['USDC_MINT_LIVE', { ...LOCAL, USDC_MINT_LIVE: 'none' }],
  ['SIGNER_DAY_LIMIT_USD', { ...LOCAL, SIGNER_DAY_LIMIT_USD: '0' }],
  ['SIGNER_SOL_USD', { ...LOCAL, SIGNER_SOL_USD: '1.005' }],
  ['KEK_FD', { ...LOCAL, KEK_FD: '1' }],
  ['LOG_LEVEL', { ...LOCAL, LOG_LEVEL: 'all' }],
])('a fault of %s is named', (name, env) => {
  expect(() => readSettings(env)).toThrow(new RegExp(`^${name}.*:`, 's'));
});

test.each([
  ...['SIGNER_KEK', 'KEK', 'PGPASSWORD', 'SIGNER_DATABASE_PASSWORD', 'SIGNER_IDENTITY_SEED'],
  ...['MASTER_KEY', 'SIGNER_SHARE', 'DATABASE_URL'],
])('%s in the environment is refused, and its value is not said', (name) => {
  const env = { ...LOCAL, [name]: 'hush-hush' };
  expect(() => readSettings(env)).toThrow(`${name} is in the environment: unset it;`);
  expect(() => readSettings(env)).not.toThrow(/hush/);
});
