import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InsufficientFunds, MalformedSecret, TransferRefused, Unavailable } from '@tender/eventing';
import { freshWallet } from './customer-wallet';
import { localChain } from './local-chain';

let server: Server;
let url: string;
let answers: Record<string, object>;
let asked: string[];
let chain: ReturnType<typeof localChain>;

/** A node that gives money, and answers otherwise what a test says. */
beforeEach(async () => {
  asked = [];
  answers = { localnet_faucet: { result: { signature: 'given' } } };
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { method: string };
      asked.push(method);
      if (!answers[method]) request.socket.destroy();
      response.end(JSON.stringify({ id: 1, ...answers[method] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [USDC, USDT, fee_payer] = [freshWallet(), freshWallet(), freshWallet()];
  const mints = { USDC: USDC.address, USDT: USDT.address };
  const network = { rpc_url: url, ws_url: url, mints, fee_payer: fee_payer.address };
  chain = localChain({ test: network, live: network });
});
afterEach(async () => {
  await chain.close();
  await gone();
});

async function gone(): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const pay = (from: string | null) => {
  const [recipient, reference] = [freshWallet().address, freshWallet().address];
  return chain.pay('test', { recipient, token: 'USDC', amount: 1n, reference, from });
};
const everything: Record<string, () => Promise<unknown>> = {
  'paying from a fresh wallet': () => pay(null),
  'paying from a wallet of one’s own': () => pay(freshWallet().secret),
  'the faucet': () => chain.faucet('test', freshWallet().address, 'SOL', 1n),
  'moving the clock': () => chain.setOffset(1),
  'producing blocks': () => chain.produceUntil(1),
};

it.each(Object.keys(everything))('a node that refuses connections: %s is unavailable', async (name) => {
  await gone();
  await expect(everything[name]?.()).rejects.toBeInstanceOf(Unavailable);
});

it.each(['1'.repeat(88), freshWallet().address, 'z'.repeat(87), '0OIl'])(
  'what is no secret key pays nothing, and is not quoted: %s',
  async (secret) => {
    const refused = pay(secret);
    await expect(refused).rejects.toBeInstanceOf(MalformedSecret);
    await expect(refused).rejects.not.toThrow(secret);
  },
);

it('a node that goes away while a payment is sent is unavailable', async () => {
  answers['getLatestBlockhash'] = { result: { value: { blockhash: freshWallet().address } } };
  await expect(pay(null)).rejects.toBeInstanceOf(Unavailable);
});

it('a refusal by the chain stays one', async () => {
  answers['getLatestBlockhash'] = { result: { value: { blockhash: freshWallet().address } } };
  answers['sendTransaction'] = { error: { code: -32002, message: 'insufficient funds' } };
  await expect(pay(null)).rejects.toBeInstanceOf(InsufficientFunds);
  answers['localnet_faucet'] = { error: { code: -32602, message: 'Invalid params' } };
  await expect(pay(null)).rejects.not.toBeInstanceOf(Unavailable);
});

it('a gift is answered once it is confirmed', async () => {
  const statusOf = (confirmationStatus: string) => ({
    result: { value: [{ err: null, confirmationStatus }] },
  });
  answers['getSignatureStatuses'] = statusOf('processed');
  let given: string | null = null;
  const giving = chain.faucet('test', freshWallet().address, 'SOL', 1n).then((signature) => {
    given = signature;
  });
  while (!asked.includes('getSignatureStatuses')) await new Promise(setImmediate);
  expect(given).toBeNull();
  answers['getSignatureStatuses'] = statusOf('confirmed');
  await giving;
  expect(given).toBe('given');
});

it('an account that can receive nothing is one that the faucet refuses', async () => {
  const give = () => chain.faucet('test', freshWallet().address, 'SOL', 1n);
  answers['localnet_faucet'] = { error: { code: -32002, message: 'ReadonlyLamportChange' } };
  await expect(give()).rejects.toBeInstanceOf(TransferRefused);
  answers['localnet_faucet'] = { error: { code: -32602, message: 'Invalid params' } };
  await expect(give()).rejects.not.toBeInstanceOf(TransferRefused);
});
