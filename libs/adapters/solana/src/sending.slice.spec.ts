import { Unavailable } from '@tender/eventing';
import { ScriptedNodes, type Method, type ScriptedNode } from './testing/scripted-node';

const scripted = new ScriptedNodes();
afterEach(() => scripted.close());
const node = (index: number) => scripted.nodes[index] as ScriptedNode;

const at = (slot: number, value: unknown) => ({ context: { slot }, value });
const account = { owner: 'o', executable: false, data: ['', 'base64'] };
const held = (...lamports: (number | null)[]) =>
  at(
    9,
    lamports.map((one) => one && { ...account, lamports: one }),
  );
const watch = { min_slot: 9, accounts: ['a'] };
const wire = Uint8Array.of(1, 2, 3);

type Asked = (chain: Awaited<ReturnType<typeof scripted.chain>>) => Promise<unknown>;
const questions: readonly [string, string, Asked, unknown][] = [
  [
    'latestBlockhash',
    'getLatestBlockhash',
    (chain) => chain.latestBlockhash(),
    at(9, { blockhash: 'b', lastValidBlockHeight: 150 }),
  ],
  ['finalPart', 'getEpochInfo', (chain) => chain.finalPart(), { blockHeight: 7, absoluteSlot: 9 }],
  ['accounts', 'getMultipleAccounts', (chain) => chain.accounts(['a']), held(5)],
  ['send', 'sendTransaction', (chain) => chain.send(wire), 'signature'],
];

describe.each(questions)('%s', (_, method, ask, answer) => {
  const faults: readonly [string, Method][] = [
    ['fails', () => ({ status: 500 })],
    ['is behind', () => ({ fault: { code: -32016, message: 'Minimum context slot' } })],
    ['fails inside', () => ({ fault: { code: -32603, message: 'Internal error' } })],
  ];
  it.each(faults)(
    'asks the next node where one %s, and is unavailable where each does',
    async (__, fault) => {
      const chain = await scripted.chain(2);
      node(0).methods[method] = fault;
      node(1).methods[method] = () => answer;
      await ask(chain);
      expect([node(0).asked[method], node(1).asked[method]]).toEqual([1, 1]);
      node(1).methods[method] = fault;
      scripted.wall += 60_000;
      await expect(ask(chain)).rejects.toBeInstanceOf(Unavailable);
    },
  );
});

it('a node that refuses a transaction has said nothing of whether it lands', async () => {
  const chain = await scripted.chain(1);
  node(0).methods['sendTransaction'] = () => ({ fault: { code: -32003, message: 'verification' } });
  await expect(chain.send(wire)).rejects.toBeInstanceOf(Unavailable);
});

it('sends without preflight, and leaves sending again to who sends', async () => {
  const chain = await scripted.chain(1);
  const sent: unknown[] = [];
  node(0).methods['sendTransaction'] = (params) => sent.push(params) && 'signature';
  await chain.send(wire);
  expect(sent).toEqual([['AQID', { encoding: 'base64', skipPreflight: true, maxRetries: 0 }]]);
});

it('accounts that are missing in the answer are the fault of the node', async () => {
  const chain = await scripted.chain(1);
  node(0).methods['getMultipleAccounts'] = () => held();
  await expect(chain.accounts(['a'])).rejects.toBeInstanceOf(Unavailable);
});

describe('a simulation', () => {
  const simulated = (lamports: number) =>
    at(9, { err: null, unitsConsumed: 150, accounts: [{ lamports }] });

  it('compares balances that were the same before and after it', async () => {
    const chain = await scripted.chain(1);
    const balances = [100, 90, 90, 90];
    node(0).methods['getMultipleAccounts'] = () => held(balances.shift() as number);
    node(0).methods['simulateTransaction'] = () => simulated(85);
    expect(await chain.simulate(wire, watch)).toMatchObject({ error: null, lamports: [-5n] });
    expect(node(0).asked['simulateTransaction']).toBe(2);
  });

  it('ends where they change all the time', async () => {
    const chain = await scripted.chain(1);
    let balance = 100;
    node(0).methods['getMultipleAccounts'] = () => held((balance -= 1));
    node(0).methods['simulateTransaction'] = () => simulated(85);
    await expect(chain.simulate(wire, watch)).rejects.toBeInstanceOf(Unavailable);
  });

  it('asks for a node that has reached the slot, of bytes whose signatures do not count', async () => {
    const chain = await scripted.chain(1);
    const asked: unknown[] = [];
    node(0).methods['getMultipleAccounts'] = () => held(100);
    node(0).methods['simulateTransaction'] = (params) => asked.push(params[1]) && simulated(95);
    await chain.simulate(wire, watch);
    expect(asked).toEqual([
      expect.objectContaining({ minContextSlot: 9, sigVerify: false, commitment: 'confirmed' }),
    ]);
  });
});

it('height and statuses come from one request to one node', async () => {
  const chain = await scripted.chain(2);
  node(0).methods['getEpochInfo'] = () => ({
    fault: { code: -32603, message: 'Internal error' },
  });
  node(0).methods['getSignatureStatuses'] = () => at(9, [null]);
  node(1).methods['getEpochInfo'] = () => ({ blockHeight: 500, absoluteSlot: 600 });
  node(1).methods['getSignatureStatuses'] = () =>
    at(9, [
      { slot: 8, err: { InstructionError: [0, { Custom: 1 }] }, confirmationStatus: 'finalized' },
    ]);
  expect(await chain.signatureStatuses(['s'])).toEqual({
    finalized_block_height: 500,
    finalized_slot: 600,
    statuses: [
      { slot: 8, commitment: 'finalized', error: '{"InstructionError":[0,{"Custom":1}]}' },
    ],
  });
});
