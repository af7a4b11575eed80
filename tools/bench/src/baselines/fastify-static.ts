import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

// Raw Fastify that answers every status poll with the same object.
const server = Fastify();
const answer = { id: 'pay_test_4fXq0000000000000000ab', status: 'pending', transaction_signature: null };
server.get('/api/v1/payments/:id/status', async () => answer);

void server.listen({ port: 0, host: '127.0.0.1' }).then(() => {
  const { port } = server.server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit(0));
