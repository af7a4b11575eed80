import { readRpcUrls } from './rpc-settings';

const read = (test?: string, live?: string) =>
  readRpcUrls({ SOLANA_RPC_URL_TEST: test, SOLANA_RPC_URL_LIVE: live });

test('a mode takes one node, several, or none', () => {
  expect(read('https://one.test, http://two.test:8899/key/', '')).toEqual({
    test: ['https://one.test', 'http://two.test:8899/key'],
    live: [],
  });
});

test('a node that is named twice is one', () => {
  expect(read('https://one.test,https://ONE.test:443/').test).toEqual(['https://one.test']);
});

test.each([
  ['https://rpc.test/?key=let-me-in', 'https://rpc.test/?key=let-me-in'],
  ['https://rpc.test/let-me-in', 'https://RPC.test:443/let-me-in/'],
  ['https://one.test,https://rpc.test/let-me-in', 'https://rpc.test/let-me-in, https://two.test'],
])('%s is not for both modes', (test, live) => {
  const sentence = 'SOLANA_RPC_URL_TEST and SOLANA_RPC_URL_LIVE name the same node: ';
  expect(() => read(test, live)).toThrow(sentence);
  expect(() => read(test, live)).toThrow('Name a node of another network in one of them, or unset');
  expect(() => read(test, live)).not.toThrow('let-me-in');
});

test('each of several nodes must be a URL', () => {
  expect(() => read('https://one.test,two.test')).toThrow(/^SOLANA_RPC_URL_TEST is not a URL/);
});
