import { signerEnvironment, type SignerPlace } from './signer-environment';

const network = (name: string) => ({
  rpc_url: `http://127.0.0.1/${name}`,
  genesis_hash: `genesis of ${name}`,
  mints: { USDC: `usdc of ${name}`, USDT: `usdt of ${name}` },
});
const PLACE: SignerPlace = {
  ...{ role: 'A', dir: '/data/signers/a', url: 'http://127.0.0.1:5001', recovery_key: 'recovery' },
  ...{ database_url: 'postgres://signer_a@127.0.0.1/signer_a', treasury: 'treasury', peer: 'b' },
  networks: { test: network('test'), live: network('live') },
};
const SECRETS = { MASTER_KEY: 'm', ADMIN_TOKEN: 'a', DATABASE_URL: 'd', INTERNAL_SECRET: 'i' };

test('a signer is told where it is, whom it believes and its chains, and no secret', () => {
  const told = signerEnvironment(PLACE, { ...SECRETS, SIGNER_SOL_USD: '200', SOLANA_RPC_URL_TEST: '' });
  expect(told).toMatchObject({
    ...{ SIGNER_ROLE: 'A', SIGNER_DIR: '/data/signers/a', HOST: '127.0.0.1', PORT: '5001' },
    ...{ TREASURY_IDENTITY: 'treasury', PEER_IDENTITY: 'b', RECOVERY_KEY: 'recovery' },
    ...{ SIGNER_SOL_USD: '200', SIGNER_DATABASE_URL: PLACE.database_url },
    ...{ SOLANA_RPC_URL_LIVE: 'http://127.0.0.1/live', SOLANA_GENESIS_LIVE: 'genesis of live' },
    ...{ USDC_MINT_TEST: 'usdc of test', USDT_MINT_TEST: 'usdt of test' },
  });
  for (const name of Object.keys(SECRETS)) expect(told).not.toHaveProperty(name);
});

test('a chain outside is the one that the settings name, with its own mints', () => {
  const outside = { SOLANA_RPC_URL_TEST: 'http://outside.test', USDC_MINT_TEST: 'theirs' };
  const told = signerEnvironment(PLACE, outside);
  expect(told).toMatchObject({ ...outside, SOLANA_RPC_URL_LIVE: 'http://127.0.0.1/live' });
  expect(told['SOLANA_GENESIS_TEST']).toBeUndefined();
});
