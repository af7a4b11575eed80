import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { answerOrders } from '../answer-orders';

interface Order {
  readonly urls: readonly string[];
  readonly count: number;
  readonly in_flight: number;
  readonly body: string;
}

// The same bytes again and again over kept-alive connections: nothing is read, signed or written down.
answerOrders(postAll);

async function postAll({ urls, count, in_flight, body }: Order) {
  const connections = Math.ceil(in_flight / urls.length);
  const pools = urls.map((url) => new Pool(url, { connections, pipelining: 1 }));
  const began = performance.now();
  let sent = 0;
  await Promise.all(
    Array.from({ length: in_flight }, async () => {
      while (sent < count) {
        const pool = pools[(sent += 1) % pools.length] as Pool;
        const answer = await pool.request({
          method: 'POST',
          path: '/hook',
          headers: {
            'content-type': 'application/json',
            'x-svc-event': 'PaymentCreated',
            'x-svc-delivery': randomUUID(),
          },
          body,
        });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
      }
    }),
  );
  const per_s = count / ((performance.now() - began) / 1000);
  await Promise.all(pools.map((pool) => pool.close()));
  return { per_s };
}
