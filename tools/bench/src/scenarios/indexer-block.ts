import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { FakeChain } from '../chain/fake-chain';
import { transferFor, type Payable } from '../chain/paying';
import { INDEXER_BLOCK } from '../goals';
import { meterCpu, untilCalm } from '../machine/cpu-meter';
import { Product } from '../product/product';
import { eventually } from '../product/request';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';

const FEW = 10;
const MANY = { full: 100_000, quick: 5_000 };
const STRANGERS = 1_200;
/** Blocks come fast while CPU is counted, so that the program's idle life hardly shows. */
const FAST_SLOT_MS = 150;
const SLOT_MS = 400;
const BLOCKS = { full: 60, quick: 16 };

/**
 * What one block of 1,200 strangers' transactions costs the whole program while 100,000 payments
 * are pending, against the same with 10 (goal 10). The baseline is the product itself.
 */
export const indexerBlock: Scenario = {
  name: 'indexer-block',
  async run(bench) {
    const many = bench.flags.quick ? MANY.quick : MANY.full;
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      { baseline: () => follow(bench, FEW), candidate: () => follow(bench, many) },
      ({ baseline, candidate }) =>
        [candidate, baseline]
          .map(({ figures }) => {
            const { cpu_ms, calls_per_block } = figures;
            return `${cpu_ms?.toFixed(1)} ms and ${calls_per_block?.toFixed(1)} calls a block`;
          })
          .join(' against '),
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'indexer-block',
        params: { pending: many, transactions: STRANGERS },
        baseline_name: `${FEW} pending`,
        compared: ['cpu_ms'],
        goals: INDEXER_BLOCK,
      }),
    ];
  },
};

async function follow(bench: Bench, pending: number): Promise<FiguresSide> {
  const chain = await FakeChain.start();
  const product = await Product.start({
    data_dir: bench.folder('indexer'),
    env: { SOLANA_RPC_URL_TEST: chain.url, PAYMENT_LIFETIME_SECONDS: '86400' },
    profile: bench.flags.profile,
  });
  try {
    const watched = await makePending(bench, product, pending);
    await untilCalm(product.metered);
    const blocks = bench.flags.quick ? BLOCKS.quick : BLOCKS.full;
    await chain.pace({ slot_ms: FAST_SLOT_MS, strangers: STRANGERS });
    await sleep(FAST_SLOT_MS * 8);
    const { cpu_ms } = await measure(chain, product, blocks * FAST_SLOT_MS);
    await chain.pace({ slot_ms: SLOT_MS, strangers: STRANGERS });
    await sleep(SLOT_MS * 3);
    const { calls_per_block } = await measure(chain, product, (blocks * SLOT_MS) / 4);
    return { figures: { cpu_ms, calls_per_block }, faults: await unseen(chain, product, watched) };
  } finally {
    await product.stop();
    await chain.stop();
  }
}

/** Makes payments until so many are pending; answers the first of them. */
async function makePending(bench: Bench, product: Product, count: number): Promise<Payable> {
  const first = await product.ask('POST', '/api/v1/payments', { amount: 5 });
  if (first.status !== 200) throw new Error(`POST /payments answered ${first.status}`);
  const { api_key } = product.ready.demo;
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  for (let made = 1; made < count; ) {
    const left = count - made;
    if (left < 50) {
      await product.ask('POST', '/api/v1/payments', { amount: 5 });
      made += 1;
      continue;
    }
    const { accepted } = await bench.load.run({
      url: product.url,
      request: { method: 'POST', paths: ['/api/v1/payments'], headers, body: 'payment' },
      connections: 64,
      warmup_ms: 0,
      timed_ms: Math.min(2_000, left / 10),
    });
    made += accepted;
  }
  return first.json as Payable;
}

/** CPU of the Node process (its block thread included) and RPC calls, per block of strangers. */
async function measure(chain: FakeChain, product: Product, for_ms: number) {
  await chain.setBack();
  const cpu = meterCpu(product.metered);
  await sleep(for_ms);
  const { node_s } = cpu();
  const { blocks, calls } = await chain.show();
  const total = Object.values(calls).reduce((a, b) => a + b, 0);
  return { cpu_ms: (node_s * 1000) / blocks, calls_per_block: total / blocks };
}

/** Among all those blocks, the one transfer that pays must be seen. */
async function unseen(chain: FakeChain, product: Product, payment: Payable): Promise<string[]> {
  await chain.include([await transferFor(payment)]);
  const status = async () => {
    const answer = await product.ask('GET', `/api/v1/payments/${payment.id}/status`);
    return String(answer.json.status);
  };
  try {
    await eventually('the payment is confirmed', status, (now) => now === 'confirmed', 15_000);
    return [];
  } catch (error) {
    return [String(error)];
  }
}
