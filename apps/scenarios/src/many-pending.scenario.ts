import { callRpc } from '@tender/localnet';
import { Program } from './program';
import { newMerchant, type Merchant } from './story';

const PENDING = 10_000;
let program: Program;
let merchant: Merchant;
let rpc_url: string;

beforeAll(async () => {
  program = await Program.start();
  merchant = await newMerchant(program);
  const environment = await merchant.api.get('/api/v1/test_helpers/environment');
  rpc_url = environment.json.networks.test.rpc_url;
});
afterAll(() => program.discard());

type Counts = Record<string, number>;

async function asked(): Promise<Counts> {
  const { requests } = await callRpc<{ requests: Counts }>(rpc_url, 'localnet_stats');
  return requests;
}

/** What the program asked of the chain in `wait_ms`, by method. */
async function askedWithin(wait_ms: number): Promise<Counts> {
  const before = await asked();
  await new Promise((resolve) => setTimeout(resolve, wait_ms));
  const after = await asked();
  const grown = Object.entries(after).map(([method, count]) => [
    method,
    count - (before[method] ?? 0),
  ]);
  return Object.fromEntries(
    grown.filter(([method, count]) => count !== 0 && method !== 'localnet_stats'),
  );
}

const create = (count: number) =>
  Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let made = 0; made < count / 50; made += 1) {
        const payment = await merchant.api.post('/api/v1/payments', { amount: 1 });
        expect(payment.status).toBe(200);
      }
    }),
  );

test('10,000 pending payments ask the chain for what 50 ask for: blocks, once each', async () => {
  await create(50);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const few = await askedWithin(5_000);
  await create(PENDING);
  // What was created while a block was being read is looked up once; that ends.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const many = await askedWithin(5_000);

  expect(Object.keys(many).sort()).toEqual(Object.keys(few).sort());
  expect(Object.keys(many).sort()).toEqual(['getBlock', 'getBlocksWithLimit']);
  // Blocks come with the chain's time: a slot more or less at the window's ends.
  expect(many.getBlock).toBeLessThanOrEqual((few.getBlock as number) * 1.5 + 2);
  const list = await merchant.api.get('/api/v1/payments?limit=1');
  expect(list.json.pagination.total).toBe(PENDING + 50);
}, 180_000);
