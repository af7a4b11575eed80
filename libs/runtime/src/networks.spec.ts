import type { Mode } from '@tender/kernel';
import { chainSettings } from './chain-settings';
import { DEVNET, MAINNET } from './networks';
import { readOutsideChains } from './settings/outside-chains';

const UNKNOWN = '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3zQawwpjk2NsY';
const [USDC, USDT] = [DEVNET.mints.USDC, '2ApUpPpXH2FcSjBzWRFgr8KEYhVdpNQNbZRXVyzhwVqr'];
const localOf = (genesis_hash: string) => ({
  ...{ rpc_url: 'http://127.0.0.1:1', ws_url: 'ws://127.0.0.1:2', fee_payer: 'payer', genesis_hash },
  mints: { USDC: 'local-usdc', USDT: 'local-usdt' },
});
const LOCAL = { test: localOf('local-test'), live: localOf('local-live') };

const settingsOf = (env: NodeJS.ProcessEnv) => chainSettings(readOutsideChains(env), LOCAL);
const outside = (mode: Mode, env: NodeJS.ProcessEnv = {}) =>
  settingsOf({ [`SOLANA_RPC_URL_${mode.toUpperCase()}`]: 'https://rpc.test', ...env })[mode];
const admitted = (mode: Mode, genesis_hash: string, env: NodeJS.ProcessEnv = {}) =>
  outside(mode, env).admit?.(genesis_hash);

describe('the network of a mode', () => {
  it.each([
    ['test', DEVNET.genesis_hash, {}, 'devnet'],
    ['live', MAINNET.genesis_hash, {}, 'mainnet-beta'],
    ['live', DEVNET.genesis_hash, { SOLANA_GENESIS_LIVE: DEVNET.genesis_hash }, 'devnet'],
    ['test', UNKNOWN, { USDC_MINT_TEST: USDC, USDT_MINT_TEST: USDT }, 'localnet'],
    [
      ...(['live', UNKNOWN] as const),
      { SOLANA_GENESIS_LIVE: UNKNOWN, USDC_MINT_LIVE: USDC, USDT_MINT_LIVE: USDT },
      'localnet',
    ],
  ] as const)('%s takes %s with %j and calls it %s', (mode, genesis_hash, env, network) => {
    expect(admitted(mode, genesis_hash, env)).toEqual({ network });
  });

  it('the local chain needs no rule but its own hash', () => {
    const { test, live } = settingsOf({});
    expect([test.genesis_hash, live.genesis_hash]).toEqual(['local-test', 'local-live']);
    expect([test.admit, live.admit]).toEqual([undefined, undefined]);
  });

  it.each([
    ['live', DEVNET.genesis_hash, {}, /leads to devnet .*; live takes mainnet-beta\. Name a node/],
    ['live', UNKNOWN, {}, new RegExp(`or set SOLANA_GENESIS_LIVE=${UNKNOWN} if this one is meant`)],
    ['live', 'local-test', {}, /the chain of test mode: the two never share one\. Name a node/],
    ['test', 'local-live', {}, /the chain of live mode: the two never share one\. Name a node/],
    [
      ...(['test', MAINNET.genesis_hash] as const),
      { SOLANA_RPC_URL_LIVE: 'https://live.test' },
      /^SOLANA_RPC_URL_TEST leads to mainnet-beta .*, the chain of live mode/,
    ],
    ['test', UNKNOWN, {}, /an unknown network .*: set USDC_MINT_TEST and USDT_MINT_TEST/],
    [
      ...(['live', UNKNOWN] as const),
      { SOLANA_GENESIS_LIVE: UNKNOWN },
      /an unknown network .*: set USDC_MINT_LIVE and USDT_MINT_LIVE/,
    ],
    [
      ...(['test', DEVNET.genesis_hash] as const),
      { USDC_MINT_TEST: USDC, USDT_MINT_TEST: USDT },
      /devnet .*, whose mints are known: unset USDC_MINT_TEST and USDT_MINT_TEST/,
    ],
    [
      ...(['test', MAINNET.genesis_hash] as const),
      {},
      new RegExp(`set USDC_MINT_TEST=${MAINNET.mints.USDC} and USDT_MINT_TEST=`),
    ],
  ] as const)('%s does not take %s with %j, and says the way out', (mode, genesis_hash, env, sentence) => {
    expect(admitted(mode, genesis_hash, env)).toEqual({ refused: expect.stringMatching(sentence) });
  });
});

describe('mints', () => {
  it('are those of the network that the mode takes', () => {
    expect(outside('test').mints).toEqual(DEVNET.mints);
    expect(outside('live').mints).toEqual(MAINNET.mints);
    expect(outside('live', { SOLANA_GENESIS_LIVE: DEVNET.genesis_hash }).mints).toEqual(DEVNET.mints);
  });

  it('are set for a network that is not a known one', () => {
    const env = { SOLANA_GENESIS_LIVE: UNKNOWN, USDC_MINT_LIVE: USDC, USDT_MINT_LIVE: USDT };
    expect(outside('live', env)).toMatchObject({ network: 'localnet', mints: { USDC, USDT } });
  });

  it.each([
    [{ USDC_MINT_TEST: USDC }, 'USDC_MINT_TEST and USDT_MINT_TEST are set together'],
    [{ USDC_MINT_LIVE: USDC, USDT_MINT_LIVE: USDC }, 'USDC_MINT_LIVE and USDT_MINT_LIVE name the same'],
    [{ USDC_MINT_LIVE: 'usdc', USDT_MINT_LIVE: USDT }, 'USDC_MINT_LIVE takes 32 bytes in base58'],
    [{ USDT_MINT_TEST: `${USDC}0` }, 'USDT_MINT_TEST takes 32 bytes in base58'],
    [{ SOLANA_GENESIS_LIVE: 'mainnet' }, 'SOLANA_GENESIS_LIVE takes 32 bytes in base58'],
  ])('%j cannot be used', (env, sentence) => {
    expect(() => readOutsideChains(env)).toThrow(sentence);
  });
});
