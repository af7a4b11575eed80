import { randomUUID } from 'node:crypto';
import type { Product } from './product';

const ORDER = { amount: 12.5, token: 'USDC', description: 'Probe', metadata: { order: '1' } };

/**
 * What must be true before a speed counts: the whole pipeline answers as the contract says.
 * Answers every deviation; empty when there is none.
 */
export async function probe(product: Product): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (what: string, got: unknown, expected: unknown) => {
    if (got !== expected) wrong.push(`${what}: ${String(got)} in place of ${String(expected)}`);
  };
  const create = (body: unknown, headers: Record<string, string> = {}, key?: string | null) =>
    product.ask('POST', '/api/v1/payments', body, key === undefined ? { headers } : { headers, key });

  const idempotency = { 'idempotency-key': randomUUID() };
  const created = await create(ORDER, idempotency);
  expect('POST /payments', created.status, 200);
  expect('its status', created.json.status, 'pending');
  expect('its limit header', typeof created.headers['x-ratelimit-remaining'], 'string');
  const again = await create(ORDER, idempotency);
  expect('the same key again', `${again.status} ${again.json.id}`, `200 ${created.json.id}`);
  expect('its header', again.headers['idempotency-replayed'], 'true');
  const reused = await create({ ...ORDER, amount: 13 }, idempotency);
  expect('the key with another body', `${reused.status} ${reused.json.code}`, '409 idempotency_key_reused');

  expect('no key', (await create(ORDER, {}, null)).status, 401);
  expect('a key nobody has', (await create(ORDER, {}, `svc_test_${'x'.repeat(49)}`)).status, 401);
  expect('a negative amount', (await create({ ...ORDER, amount: -1 })).status, 400);
  const metadata = { a: '\u0000' };
  expect('NUL in the metadata', (await create({ ...ORDER, metadata })).status, 400);

  const read = await product.ask('GET', `/api/v1/payments/${created.json.id}`);
  expect('GET right after', `${read.status} ${read.json.id}`, `200 ${created.json.id}`);
  const polled = await product.ask('GET', `/api/v1/payments/${created.json.id}/status`, undefined, {
    key: null,
  });
  expect('its public status', `${polled.status} ${polled.json.status}`, '200 pending');
  return wrong;
}
