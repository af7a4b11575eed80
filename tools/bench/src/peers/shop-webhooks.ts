import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { Agent, request } from 'undici';
import { ShopMerchant, ShopOutboxRow } from './shop-tables';

const POLL_MS = 100;
const BATCH = 500;
const IN_FLIGHT = 64;
const PATIENCE_MS = 15_000;

const agent = new Agent({
  connections: IN_FLIGHT,
  bodyTimeout: PATIENCE_MS,
  headersTimeout: PATIENCE_MS,
});

/** Reads the outbox again and again: rows that others hold are left to them, and at once again after a full batch. */
export async function deliverOutbox(database: DataSource): Promise<never> {
  for (;;) {
    const sent = await database.transaction(deliverBatch);
    if (sent < BATCH) await sleep(POLL_MS);
  }
}

async function deliverBatch(manager: EntityManager): Promise<number> {
  const rows = await manager
    .createQueryBuilder(ShopOutboxRow, 'row')
    .where('row.delivered_at IS NULL')
    .orderBy('row.id')
    .limit(BATCH)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked')
    .getMany();
  if (rows.length === 0) return 0;
  const merchants = new Map((await manager.find(ShopMerchant)).map((one) => [one.id, one]));
  const delivered: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(IN_FLIGHT, rows.length) }, async () => {
      for (let row = rows[next++]; row; row = rows[next++]) {
        const merchant = merchants.get(row.merchant_id) as ShopMerchant;
        // What fails stays in the outbox, and is tried with the next batch.
        if (await post(row, merchant).catch(() => false)) delivered.push(row.id);
      }
    }),
  );
  if (delivered.length > 0) {
    await manager.update(ShopOutboxRow, delivered, { delivered_at: new Date() });
  }
  return delivered.length;
}

async function post(
  row: ShopOutboxRow,
  { webhook_url, webhook_secret }: ShopMerchant,
): Promise<boolean> {
  const body = JSON.stringify(row.body);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', webhook_secret).update(`${time}.${body}`).digest('hex');
  const answer = await request(webhook_url, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      'x-svc-event': row.event,
      'x-svc-delivery': row.delivery_id,
      'x-svc-signature': `t=${time},v1=${signature}`,
    },
    body,
  });
  await answer.body.dump();
  return answer.statusCode >= 200 && answer.statusCode < 300;
}
