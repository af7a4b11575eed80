import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import bs58 from 'bs58';
import type { Bench, Scenario } from '../bench';
import { countRows, emptyTable } from '../baselines/tables';
import { FakeChain } from '../chain/fake-chain';
import { transferFor, type Payable } from '../chain/paying';
import { Child } from '../child';
import { untilCalm } from '../machine/cpu-meter';
import { RowWatch } from '../machine/row-watch';
import { countEvents } from '../product/log-rows';
import { inParallel, WALLET } from '../product/merchants';
import { Product } from '../product/product';
import type { Entry } from '../report/entry';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import type { Due } from './due-payments';
import { waitAndPay, type Waiting } from './wait-and-pay';

const PENDING = { full: [50, 500], quick: [50] };
/** As a point of sale that is made with the library looks for its one payment. */
const POLL_MS = 250;
/** A payment that is confirmed twice has come twice by then. */
const AFTERWARDS_MS = 500;

/** Payments that wait and are then paid in one block, against a loop of @solana/pay that asks for each of them. */
export const peersIndexer: Scenario = {
  name: 'peers-indexer',
  async run(bench) {
    const entries: Entry[] = [];
    for (const pending of bench.flags.quick ? PENDING.quick : PENDING.full) {
      const rounds = await runRounds<FiguresSide>(
        bench,
        `${this.name}, ${pending} pending`,
        { baseline: () => solanaPay(bench, pending), candidate: () => ours(bench, pending) },
        ({ baseline, candidate }) => [candidate, baseline].map(lineOf).join(' against '),
        bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
      );
      entries.push(
        entryOfRounds(bench, rounds, {
          name: this.name,
          params: { pending, poll_ms: POLL_MS, waiting_s: bench.flags.timed_ms / 1000 },
          baseline_name: 'solana-pay-loop',
          compared: ['per_s', 'rpc_per_payment', 'waiting_rpc_per_s', 'waiting_cores', 'stored_p50'],
          goals: [],
        }),
      );
    }
    return entries;
  },
};

function lineOf({ figures }: FiguresSide): string {
  const { per_s, rpc_per_payment, waiting_rpc_per_s } = figures;
  return [
    `${per_s?.toFixed(0)} a second`,
    `${rpc_per_payment?.toFixed(2)} requests each`,
    `${waiting_rpc_per_s?.toFixed(1)} a second while they wait`,
  ].join(', ');
}

async function ours(bench: Bench, pending: number): Promise<FiguresSide> {
  const chain = await FakeChain.start();
  const product = await Product.start({
    data_dir: bench.folder('peers-indexer'),
    env: { SOLANA_RPC_URL_TEST: chain.url },
    profile: bench.flags.profile,
  });
  try {
    const due: Due[] = [];
    await inParallel(pending, 16, async () => {
      const { json } = await product.ask('POST', '/api/v1/payments', { amount: 5 });
      due.push({ payment_id: json.id as string, transfer: await transferFor(json as Payable) });
    });
    await untilCalm(product.metered);
    const { connection_string } = product.server;
    const watch = await RowWatch.start(
      connection_string,
      `SELECT position, split_part(stream, '-', 2) AS id FROM log.events
       WHERE position > $1 AND type = 'PaymentConfirmed' ORDER BY position`,
    );
    const count = () => countEvents(connection_string, 'PaymentConfirmed');
    const { metered } = product;
    const waiting_ms = bench.flags.timed_ms;
    return await played({ chain, due, watch, metered, waiting_ms, count });
  } finally {
    await product.stop();
    await chain.stop();
  }
}

async function solanaPay(bench: Bench, pending: number): Promise<FiguresSide> {
  const { connection_string, postmaster } = await bench.server();
  await emptyTable(connection_string);
  const chain = await FakeChain.start();
  const child = Child.start(path.join(__dirname, '../peers/solana-pay-loop.js'));
  try {
    const payments = Array.from({ length: pending }, shownByShop);
    const due = await Promise.all(
      payments.map(async (one) => ({ payment_id: one.id, transfer: await transferFor(one) })),
    );
    await child.ask({
      ...{ rpc_url: chain.url, connection_string, poll_ms: POLL_MS },
      payments: payments.map(({ id, qr_code }) => ({ payment_id: id, url: qr_code })),
    });
    const watch = await RowWatch.start(
      connection_string,
      `SELECT position, substr(stream, 9) AS id FROM bench_events
       WHERE position > $1 ORDER BY position`,
    );
    const metered = { node: child.pid, postmaster };
    const count = () => countRows(connection_string);
    const waiting_ms = bench.flags.timed_ms;
    return await played({ chain, due, watch, metered, waiting_ms, count });
  } finally {
    await child.stop();
    await chain.stop();
  }
}

/** A payment of five of some token, as a shop with the library would ask for it. */
function shownByShop(): Payable {
  const [mint, reference] = [0, 1].map(() => bs58.encode(randomBytes(32)));
  return {
    id: randomUUID(),
    qr_code: `solana:${WALLET}?amount=5&spl-token=${mint}&reference=${reference}`,
    token_amount: '5000000',
  };
}

interface Playing extends Waiting {
  readonly watch: RowWatch;
  count(): Promise<number>;
}

async function played({ count, ...waiting }: Playing): Promise<FiguresSide> {
  try {
    const side = await waitAndPay(waiting);
    await sleep(AFTERWARDS_MS);
    const [rows, { length }] = [await count(), waiting.due];
    const faults = rows === length ? [] : [`${rows} confirmations of ${length} payments`];
    return { ...side, faults: [...side.faults, ...faults] };
  } finally {
    await waiting.watch.stop();
  }
}
