import { randomUUID } from 'node:crypto';
import type { Product } from './product';

export const WALLET = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK';

export interface Merchant {
  readonly key: string;
  readonly webhook_secret: string;
}

/** Signs a merchant up whose webhooks go to `url`, and its customers' money to `wallet`. */
export async function merchantWithWebhook(
  product: Product,
  url: string,
  wallet = WALLET,
): Promise<Merchant> {
  const signed_up = await product.ask(
    'POST',
    '/api/v1/merchants',
    {
      name: 'Bench Shop',
      email: `bench-${randomUUID()}@tender.test`,
      business_address: '5 High Street',
      wallet_generation_method: 'external',
      wallet_address: wallet,
    },
    { key: null },
  );
  const key = signed_up.json.api_key as string;
  return { key, webhook_secret: await pointWebhook(product, url, key) };
}

/** Sends a merchant's webhooks to `url`; answers the new secret. */
export async function pointWebhook(product: Product, url: string, key: string): Promise<string> {
  const body = { webhook_url: url };
  const answer = await product.ask('PUT', '/api/v1/merchants/me/webhook', body, { key });
  if (answer.status !== 200) {
    throw new Error(`the webhook URL was refused: ${answer.status} ${JSON.stringify(answer.json)}`);
  }
  return answer.json.webhook_secret as string;
}

/** Runs `work` for 0 … count−1, `at_once` at a time. */
export async function inParallel(
  count: number,
  at_once: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: at_once }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
