import { gzipSync } from 'node:zlib';
import { Unavailable } from '@tender/eventing';
import { blockDecoder } from './block-decoder';
import { MINTS, ScriptedNodes, type Method, type ScriptedNode } from './testing/scripted-node';

const scripted = new ScriptedNodes();
afterEach(() => scripted.close());

const chainOf = (count: number, expectedGenesis: string | null = null) =>
  scripted.chain(count, { expectedGenesis });
const node = (index: number) => scripted.nodes[index] as ScriptedNode;
const transaction = (signature: string, slot: number, keys = ['payer', 'ref']) => ({
  slot,
  blockTime: 100 + slot,
  transaction: { signatures: [signature], message: { accountKeys: keys, instructions: [] } },
  meta: { err: null, fee: 5_000, preBalances: [5_000, 0], postBalances: [0, 0] },
});

it('goes to the next endpoint where one fails, and comes back after a rest', async () => {
  const chain = await chainOf(2);
  node(0).methods['getSlot'] = () => ({ status: 503 });
  node(1).methods['getSlot'] = () => 7;
  scripted.wall += 1;
  expect(await chain.slot()).toBe(7);
  const asked = node(0).asked['getSlot'];
  expect(await chain.slot()).toBe(7);
  expect(node(0).asked['getSlot']).toBe(asked);
});

it('53: a 429 storm is met with rests, not with a busy loop', async () => {
  const chain = await chainOf(1);
  node(0).methods['getSlot'] = () => ({ status: 429 });
  for (let attempt = 0; attempt < 50; attempt += 1) {
    await expect(chain.slot()).rejects.toBeInstanceOf(Unavailable);
    scripted.wall += 20;
  }
  expect(node(0).asked['getSlot']).toBeLessThan(5);
  node(0).methods['getSlot'] = () => 9;
  scripted.wall += 60_000;
  expect(await chain.slot()).toBe(9);
});

const ACCOUNT = { lamports: 5, owner: '1'.repeat(32), executable: false, data: ['', 'base64'] };
const OTHER_MINT = [Buffer.alloc(165, 7).toString('base64'), 'base64'];
const JSON_TEXT = '{"error":{"code":503,"message":"upstream"}}';
const faultsOfNodes: Record<string, Method> = {
  '503 without a body': () => ({ status: 503 }),
  '503 in JSON': () => ({ status: 503, text: JSON_TEXT }),
  '502 in HTML': () => ({ status: 502, text: '<html>' }),
  'an internal error': () => ({ fault: { code: -32603, message: 'Internal error' } }),
  'being behind': () => ({ fault: { code: -32005, message: 'Node is behind' } }),
  'no result': () => null,
  'a result without the accounts': () => ({ context: { slot: 1 } }),
  'fewer accounts than were asked for': () => ({ value: [null] }),
  'numbers in place of accounts': () => ({ value: [1, 2, 3] }),
  'an account with half a lamport': () => ({ value: [{ ...ACCOUNT, lamports: 1.5 }, null, null] }),
  'an account without data': () => ({ value: [null, { ...ACCOUNT, data: undefined }, null] }),
  'a token account of another mint': () => ({ value: [null, { ...ACCOUNT, data: OTHER_MINT }, null] }),
  'an error that is only a text': () => ({ fault: 'overloaded' }),
  'a key that is no longer good': () => ({ status: 401, text: JSON_TEXT }),
  'JSON that is no answer': () => ({ status: 200, text: 'null' }),
};

it.each(Object.keys(faultsOfNodes))('%s is the node’s fault: the next one is asked', async (name) => {
  const wallet = MINTS.USDC;
  const chain = await chainOf(2);
  const fault = faultsOfNodes[name] as Method;
  for (const at of [0, 1]) node(at).methods['getSlot'] = () => 7;
  node(0).methods['getMultipleAccounts'] = fault;
  node(1).methods['getMultipleAccounts'] = () => ({ value: [ACCOUNT, null, null] });
  expect(await chain.balances(wallet)).toEqual({ SOL: 5n, USDC: 0n, USDT: 0n });
  node(1).methods['getMultipleAccounts'] = fault;
  scripted.wall += 60_000;
  await expect(chain.balances(wallet)).rejects.toBeInstanceOf(Unavailable);
});

it('48: an endpoint of another network is refused, at the start and at a failover', async () => {
  const chain = await chainOf(2, 'genesis');
  node(1).genesis = 'another';
  node(0).methods['getSlot'] = () => 5;
  node(1).methods['getSlot'] = () => 500;
  expect(await chain.slot()).toBe(5);
  node(0).methods['getSlot'] = () => ({ status: 500 });
  await expect(chain.slot()).rejects.toBeInstanceOf(Unavailable);
});

it('48: a node that comes back as another network is refused as well', async () => {
  const chain = await chainOf(1);
  node(0).methods['getSlot'] = () => 5;
  expect(await chain.slot()).toBe(5);
  node(0).methods['getSlot'] = () => ({ status: 502 });
  await expect(chain.slot()).rejects.toBeInstanceOf(Unavailable);
  node(0).genesis = 'a fresh ledger';
  node(0).methods['getSlot'] = () => 1;
  scripted.wall += 60_000;
  await expect(chain.slot()).rejects.toBeInstanceOf(Unavailable);
  expect(await chain.genesisHash().catch(() => 'nothing')).toBe('nothing');
});

it('43: a node that is far behind the best one is asked last', async () => {
  const chain = await chainOf(2);
  node(0).methods['getSlot'] = () => 100;
  node(1).methods['getSlot'] = () => 300;
  expect(await chain.slot()).toBe(300);
  node(0).methods['getSlot'] = () => 299;
  scripted.wall += 60_000;
  expect(await chain.slot()).toBe(299);
});

it('44: a listed transaction that is not served is unavailable, never left out', async () => {
  const chain = await chainOf(1);
  node(0).methods['getSignaturesForAddress'] = ([, { before }]) =>
    before ? [] : [{ signature: 'a' }];
  node(0).methods['getTransaction'] = () => null;
  await expect(chain.transactionsOf('ref', 0)).rejects.toBeInstanceOf(Unavailable);
});

it('45, 46, 47: pages with `before` to the end, 2,500 in all, each once, oldest first', async () => {
  const chain = await chainOf(1);
  const newestFirst = Array.from({ length: 2_500 }, (_, index) => ({ signature: `s${2_500 - index}` }));
  node(0).methods['getSignaturesForAddress'] = ([, { before, until }]) => {
    expect(until).toBeUndefined();
    const from = before ? newestFirst.findIndex(({ signature }) => signature === before) + 1 : 0;
    // The page overlaps the one before, as after a reordering inside a slot.
    return from >= 2_500 ? [] : newestFirst.slice(Math.max(0, from - 1), from + 999);
  };
  node(0).methods['getTransaction'] = ([signature]) =>
    transaction(signature, Number(signature.slice(1)));
  const slots = (await chain.transactionsOf('ref', 0)).map(({ slot }) => slot);
  expect(slots).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
});

it('what a node does not show that is behind a slot was not asked of it', async () => {
  const chain = await chainOf(2);
  const asked: unknown[] = [];
  const behind = { fault: { code: -32016, message: 'Minimum context slot has not been reached' } };
  node(0).methods['getSlot'] = () => 8;
  node(0).methods['getSignaturesForAddress'] = ([, { minContextSlot }]) =>
    minContextSlot > 8 ? behind : [];
  node(1).methods['getSlot'] = () => 9;
  node(1).methods['getSignaturesForAddress'] = ([, { minContextSlot, before }]) =>
    asked.push(minContextSlot) && (before ? [] : [{ signature: 'landed' }]);
  node(1).methods['getTransaction'] = () => transaction('landed', 9);
  expect(await chain.transactionsOf('ref', 9)).toMatchObject([{ signature: 'landed' }]);
  expect(asked).toEqual([9, 9]);
});

it('does not take "skipped" for an answer from a node that lists the slot', async () => {
  const chain = await chainOf(1);
  node(0).methods['getBlock'] = () => ({ fault: { code: -32007, message: 'skipped' } });
  node(0).methods['getBlocksWithLimit'] = ([slot]) => [slot];
  await expect(chain.block(5, () => true)).rejects.toBeInstanceOf(Unavailable);
  node(0).methods['getBlocksWithLimit'] = ([slot]) => [slot + 1];
  scripted.wall += 60_000;
  expect(await chain.block(5, () => true)).toBeNull();
});

it('asks for every key once and decodes only what is wanted, inline and in the worker thread alike', async () => {
  const transactions = Array.from({ length: 300 }, (_, index) =>
    transaction(`s${index}`, 9, ['payer', `key${index}`]),
  );
  const body = Buffer.from(JSON.stringify({ result: { blockTime: 109, transactions } }));
  for (const inline_bytes_max of [body.length, 0]) {
    const decoder = blockDecoder(inline_bytes_max);
    for (const gzip of [false, true]) {
      const asked: string[] = [];
      const answer = await decoder.decode(9, gzip ? gzipSync(body) : body, gzip, (key) => {
        asked.push(key);
        return key === 'key7';
      });
      expect(asked).toHaveLength(601);
      expect(answer).toMatchObject({ block: { slot: 9, transactions: [{ signature: 's7' }] } });
    }
    const fault = Buffer.from(JSON.stringify({ error: { code: -32004, message: 'not yet' } }));
    expect(await decoder.decode(9, fault, false, () => true)).toMatchObject({
      fault: { code: -32004, message: 'not yet' },
    });
    await expect(decoder.decode(9, Buffer.from('<html>'), false, () => true)).rejects.toThrow();
    await decoder.close();
  }
});
