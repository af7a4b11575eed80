import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { Pool } from 'pg';
import { INSERT_EVENT } from './tables';

// Raw Fastify, JSON schema, one prepared INSERT per request: no key, no limit, no idempotency, no events.
const pool = new Pool({
  connectionString: process.env['BENCH_DATABASE'] as string,
  max: Number(process.env['BENCH_POOL']),
});
const server = Fastify();

const body = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number', exclusiveMinimum: 0 },
    currency: { type: 'string', enum: ['USD', 'EUR', 'GBP'] },
    token: { type: 'string', enum: ['USDC', 'USDT', 'SOL'] },
    description: { type: 'string', maxLength: 500 },
    metadata: { type: 'object' },
  },
};

server.post('/api/v1/payments', { schema: { body } }, async (request) => {
  const id = `pay_test_${randomUUID()}`;
  const data = JSON.stringify(request.body);
  await pool.query({ ...INSERT_EVENT, values: [`payment-${id}`, 'PaymentCreated', data] });
  return { id, status: 'pending' };
});

void server.listen({ port: 0, host: '127.0.0.1' }).then(() => {
  const { port } = server.server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit(0));
