/**
 * @landing embedded
 * @runs embedded
 * @program own
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../harness/eventually';
import { liveKey, newMerchant } from '../harness/merchants';
import { Program } from '../harness/program';

const TESTNET = '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3zQawwpjk2NsY';
let node: Server;
let url: string;
let program: Program | null = null;

/** A node of a network that the operator has not named. */
beforeAll(async () => {
  node = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(JSON.stringify({ id: 1, result: TESTNET })));
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});
afterEach(() => program?.discard());
afterAll(() => {
  node.closeAllConnections();
  node.close();
});

test('one node for test and live is refused in a sentence', async () => {
  program = new Program({ SOLANA_RPC_URL_TEST: url, SOLANA_RPC_URL_LIVE: `${url}/` });
  await expect(program.start()).rejects.toThrow('the program ended with 1');
  expect(program.output).toMatch(
    /Tender cannot start: SOLANA_RPC_URL_TEST and SOLANA_RPC_URL_LIVE name the same node: .*\n/,
  );
  expect(program.output).not.toContain(url);
});

test('a network without mints stops its own mode, which says so; the other mode goes on', async () => {
  program = await Program.start({ SOLANA_RPC_URL_TEST: url });
  const readiness = async () => (await program?.client().get('/readyz'))?.json;
  const stopped = `leads to an unknown network \\(genesis hash ${TESTNET}\\): set USDC_MINT_TEST and`;
  const checks = { chain_test: expect.stringMatching(stopped), chain_live: 'ok', sanctions: 'ok' };
  const wanted = { status: 'degraded', checks };
  // It is degraded as well while one of the others is not there yet.
  const isAsWanted = (told: unknown) => expect.objectContaining(wanted).asymmetricMatch(told);
  expect(await eventually(readiness, isAsWanted)).toEqual(wanted);
  const merchant = await newMerchant(program);
  // Not asked again: a machine that has stalled makes others patient with 503.
  const api = merchant.api.once();
  expect((await api.post('/api/v1/payments', { amount: 1 })).status).toBe(503);
  expect((await api.get('/api/v1/merchants/me/wallet')).status).toBe(503);
  const live = await liveKey(program, merchant);
  expect((await live.post('/api/v1/payments', { amount: 1 })).status).toBe(200);
  expect(program.output).not.toMatch(/local chain|test_helpers/i);
});
