import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Pool } from 'undici';
import { INSERT_EVENT } from './tables';

interface Order {
  readonly rpc_url: string;
  readonly sink_url: string;
  readonly connection_string: string;
  readonly references: readonly { readonly reference: string; readonly payment_id: string }[];
  readonly poll_ms: number;
}
interface Block {
  readonly transactions: readonly {
    readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  }[];
}

// Reads each block, looks its keys up, writes one row, posts one request: no checks, no retries, no signature.
process.on('message', (order: Order) => {
  void follow(order).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));

async function follow(order: Order): Promise<void> {
  const database = new Client({ connectionString: order.connection_string });
  await database.connect();
  const rpc = new Pool(order.rpc_url);
  const sink = new Pool(order.sink_url);
  const waiting = new Map(
    order.references.map(({ reference, payment_id }) => [reference, payment_id]),
  );
  const call = async <Result>(method: string, params: unknown[]): Promise<Result> => {
    const answer = await rpc.request({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await answer.body.json()) as { result: Result }).result;
  };
  const confirm = async (payment_id: string) => {
    const event = JSON.stringify({ event: 'PaymentConfirmed', payment: { id: payment_id } });
    const values = [`payment-${payment_id}`, 'PaymentConfirmed', event];
    await database.query({ ...INSERT_EVENT, values });
    const answer = await sink.request({
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'x-svc-event': 'PaymentConfirmed',
        'x-svc-delivery': randomUUID(),
      },
      body: event,
    });
    await answer.body.dump();
  };

  let at = await call<number>('getSlot', []);
  process.send?.({ result: true });
  for (;;) {
    const slots = await call<number[]>('getBlocksWithLimit', [at + 1, 10]);
    for (const slot of slots) {
      const block = await call<Block>('getBlock', [slot, { encoding: 'json' }]);
      for (const { transaction } of block.transactions) {
        for (const key of transaction.message.accountKeys) {
          const payment_id = waiting.get(key);
          if (payment_id) await confirm(payment_id);
        }
      }
      at = slot;
    }
    if (slots.length === 0) await sleep(order.poll_ms);
  }
}
