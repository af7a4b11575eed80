import { setTimeout as sleep } from 'node:timers/promises';
import { findReference, FindReferenceError, parseURL, validateTransfer } from '@solana/pay';
import { Connection } from '@solana/web3.js';
import { Pool } from 'pg';
import { INSERT_EVENT } from '../baselines/tables';

interface Order {
  readonly rpc_url: string;
  readonly connection_string: string;
  readonly payments: readonly Pending[];
  /** Between two looks for one payment. */
  readonly poll_ms: number;
}

interface Pending {
  readonly payment_id: string;
  /** Solana Pay URI that the customer was shown. */
  readonly url: string;
}

const CONNECTIONS = 4;

// As the library's documentation puts it: look for each payment's reference until it is found, validate the transfer,
// note the payment as paid.
process.on('message', (order: Order) => {
  void confirmAll(order).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));

async function confirmAll(order: Order): Promise<void> {
  const chain = new Connection(order.rpc_url, 'confirmed');
  const database = new Pool({ connectionString: order.connection_string, max: CONNECTIONS });
  process.send?.({ result: true });
  const { length } = order.payments;
  await Promise.all(
    order.payments.map(async (payment, number) => {
      // Payments begin at different moments: their looks are spread as well.
      await sleep((order.poll_ms * number) / length);
      await confirm(chain, payment, order.poll_ms);
      const event = JSON.stringify({ event: 'PaymentConfirmed', payment: payment.payment_id });
      const values = [`payment-${payment.payment_id}`, 'PaymentConfirmed', event];
      await database.query({ ...INSERT_EVENT, values });
    }),
  );
}

async function confirm(chain: Connection, { url }: Pending, poll_ms: number): Promise<void> {
  const asked = parseURL(url);
  if (!('recipient' in asked)) throw new Error(`not a transfer request: ${url}`);
  const { recipient, amount, splToken, reference } = asked;
  const [key] = reference ?? [];
  if (!amount || !splToken || !key) throw new Error(`not a token payment: ${url}`);
  for (;;) {
    try {
      const { signature } = await findReference(chain, key, { finality: 'confirmed' });
      const wanted = { recipient, amount, splToken, reference: key };
      await validateTransfer(chain, signature, wanted, { commitment: 'confirmed' });
      return;
    } catch (error) {
      if (!(error instanceof FindReferenceError)) throw error;
    }
    await sleep(poll_ms);
  }
}
