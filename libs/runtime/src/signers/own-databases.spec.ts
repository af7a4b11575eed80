import { readOwnDatabases, whyNoSigners } from './own-databases';

const THEIRS = 'postgres://tender@db.test/tender';
const OWN = {
  SIGNER_A_DATABASE_URL: 'postgres://signer_a@db.test/signer_a',
  SIGNER_B_DATABASE_URL: 'postgres://signer_b@db.test/signer_b',
};

test('the program starts signers where it starts the Postgres, or has databases for them', () => {
  expect(whyNoSigners({}, null)).toBeNull();
  expect(whyNoSigners(OWN, THEIRS)).toBeNull();
  const { SIGNER_A_DATABASE_URL: A, SIGNER_B_DATABASE_URL: B } = OWN;
  expect(readOwnDatabases(OWN)).toEqual({ A, B });
});

test('it starts none in a Postgres that others open, nor beside money of value, and says what to set', () => {
  expect(whyNoSigners({}, THEIRS)).toContain('SIGNER_A_DATABASE_URL and SIGNER_B_DATABASE_URL');
  const live = { SOLANA_RPC_URL_LIVE: 'http://live.test' };
  expect(whyNoSigners({ ...OWN, ...live }, null)).toContain('SIGNER_A_URL and SIGNER_B_URL');
  expect(whyNoSigners({ SOLANA_RPC_URL_TEST: 'http://test.test' }, null)).toBeNull();
});

test.each([
  ['SIGNER_B_DATABASE_URL is not set', { ...OWN, SIGNER_B_DATABASE_URL: '' }],
  ['SIGNER_A_DATABASE_URL is not a URL', { ...OWN, SIGNER_A_DATABASE_URL: 'http://db.test' }],
  ['name one database', { ...OWN, SIGNER_B_DATABASE_URL: OWN.SIGNER_A_DATABASE_URL }],
])('%s', (sentence, env) => {
  expect(() => readOwnDatabases(env)).toThrow(sentence);
});
