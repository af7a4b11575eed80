/**
 * @landing embedded
 * @program own
 * @takes minutes
 */
import { callRpc } from '@tender/localnet';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { newMerchant, type Merchant } from '../harness/merchants';

const PENDING = 10_000;
const SLOTS = 12;
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

const slot = () => callRpc<number>(rpc_url, 'getSlot');

/** Of the program alone: what we ask ourselves is not counted. */
const OURS = ['localnet_stats', 'getSlot'];

/** What the program asked of the chain, by method, while at least so many slots went by. */
async function askedWithin(slots_min: number): Promise<{ counts: Counts; slots: number }> {
  const from = await slot();
  const before = await asked();
  await eventually(slot, (now) => now >= from + slots_min);
  const after = await asked();
  const grown = Object.entries(after)
    .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
    .filter(([method, count]) => count !== 0 && !OURS.includes(method));
  return { counts: Object.fromEntries(grown), slots: (await slot()) - from };
}

/** Of the sponsor's balance, whatever is pending: one each 5 s in each mode. */
const BALANCES_MAX = 2;

/**
 * It comes to this and stays so: what was created while a block was being read is looked up once, and an indexer that
 * has fallen behind the chain catches up. One block more may have been under way when counting began.
 */
const blocksAlone = () =>
  eventually(
    () => askedWithin(SLOTS),
    ({ counts, slots }) => {
      // A chain that tells of its slots is hardly asked which blocks there are.
      const { getBlock = 0, getBlocksWithLimit: _, getMultipleAccounts = 0, ...others } = counts;
      const once_each = getBlock > 0 && getBlock <= slots + 2;
      const nothing_else = Object.keys(others).length === 0;
      return once_each && nothing_else && getMultipleAccounts <= BALANCES_MAX;
    },
  );

const create = (count: number) =>
  Promise.all(
    Array.from({ length: 50 }, async () => {
      const api = merchant.api.patient();
      for (let made = 0; made < count / 50; made += 1) {
        const payment = await api.post('/api/v1/payments', { amount: 1 });
        expect(payment.status).toBe(200);
      }
    }),
  );

test('10,000 pending payments ask the chain for what 50 ask for: blocks, once each', async () => {
  for (const more of [50, PENDING]) {
    await create(more);
    await blocksAlone();
  }
  const list = () => merchant.api.get('/api/v1/payments?limit=1');
  await eventually(list, ({ json }) => json.pagination.total === PENDING + 50);
});
