import { DEVNET_MINTS } from '@tender/transactions';
import { ExitFault } from './exit-fault';
import { readOptions } from './options';

const TO = 'CyHJxc1fYHig18hvYk88aefWgeu6b6bFhzsC2bkXbeGj';
const given = (changes: Readonly<Record<string, string | null>> = {}): string[] => {
  const all = {
    ...{ recovery: 'kit.json', to: TO, token: 'USDC', amount: 'all', rpc: 'http://localhost:8899' },
    ...changes,
  };
  return Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]));
};
const faultOf = (args: readonly string[]): string => {
  try {
    readOptions(args);
  } catch (error) {
    if (error instanceof ExitFault) return error.message;
    throw error;
  }
  return 'nothing is wrong';
};

it('are what the merchant has written', () => {
  expect(readOptions(given())).toEqual({
    ...{ recovery: 'kit.json', to: TO, token: 'USDC', amount: 'all', rpc: 'http://localhost:8899' },
    ...{ passphrase_file: null, yes: false },
  });
  expect(readOptions([...given(), '--yes', '--passphrase-file', 'p'])).toMatchObject({
    ...{ passphrase_file: 'p', yes: true },
  });
  expect(faultOf(given({ token: DEVNET_MINTS.USDC }))).toBe('nothing is wrong');
});

it.each([
  ['--amount is missing', { amount: null }],
  ['--recovery is missing', { recovery: null }],
  ['--to me is no address', { to: 'me' }],
  ['is the address of a mint', { to: DEVNET_MINTS.USDC }],
  ['is the address of a program', { to: '11111111111111111111111111111111' }],
  ['--token EUR is neither', { token: 'EUR' }],
  ['is no URL of a Solana node', { rpc: 'localhost' }],
  ['is no URL of a Solana node', { rpc: 'ftp://localhost' }],
  ['--key', { key: 'x' }],
])('are refused: %s', (says, changes) => {
  expect(faultOf(given(changes))).toContain(says);
});
