import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { freshWallet } from './demo-merchant';

/** The demo merchant's own program, as that merchant asks it. */
export interface DemoProgram {
  readonly url: string;
  readonly api_key: string;
  readonly merchant_id: string;
}

/** What stays as it is until a reader tries something on it. */
export type DemoObjects = Awaited<ReturnType<typeof makeDemoObjects>>;
/** What waits for money, and ends by itself after a quarter of an hour. */
export type DemoPayments = Awaited<ReturnType<typeof beginDemoPayments>>;

/** Where nothing listens: what is sent there fails and can be sent again. */
const CLOSED_URL = 'http://127.0.0.1:9/';
const DUE = { amount: 10.5, description: 'Order 42' };

/**
 * One object of each kind that requests name, and one for each request that can be made of an object once alone; all
 * but those that `beginDemoPayments` makes.
 */
export async function makeDemoObjects(program: DemoProgram) {
  const { wallet_address: wallet } = freshWallet();
  const make = (path: string, body: object) => send(program, 'POST', path, body);
  const link = await make('/payment-links', DUE);
  const invoice = () => make('/invoices', { ...DUE, customer_email: 'ada@example.com' });
  const installments = () =>
    make('/installment-plans', {
      ...{ customer_wallet: wallet, total_amount: 300 },
      ...{ installment_count: 3, payment_frequency_days: 30 },
    });
  const planOf = (name: string) =>
    make('/subscription-plans', { name, amount: 9.5, billing_interval: 'monthly' });
  const plan = await planOf('Coffee, monthly');
  const subscription = () =>
    make('/subscriptions', { plan_id: plan.id, customer_wallet: freshWallet().wallet_address });
  const paused = await subscription();
  const sent = await invoice();
  const underpaid = await make(`/payment-links/${link.link_code}/pay`, {});
  const [delivery, receipt] = await Promise.all([
    failedDelivery(program),
    strayReceipt(program, underpaid.payment_id),
    make(`/subscriptions/${paused.id}/pause`, {}),
    make(`/invoices/${sent.id}/send`, {}),
  ]);
  const [draft, plan_read] = [await invoice(), await installments()];
  const subscribed = await subscription();
  const key = await make('/keys', { mode: 'test' });
  /** The id that a path has behind this beginning, unless its route takes an object of its own. */
  const named = {
    '/api/v1/payment-links/': link.link_code,
    '/l/': link.link_code,
    '/api/v1/keys/': key.id,
    '/api/v1/receipts/': receipt.id,
    '/api/v1/webhooks/': delivery.id,
    '/api/v1/subscription-plans/': plan.id,
    '/api/v1/subscriptions/plans/': plan.id,
    '/api/v1/subscriptions/': subscribed.id,
    '/api/v1/invoices/': draft.id,
    '/api/v1/merchants/me/invoices/': draft.id,
    '/api/v1/installment-plans/': plan_read.id,
    '/api/v1/customers/': wallet,
    '/admin/merchants/': program.merchant_id,
  };
  return {
    ...{ named, link, wallet, plan, switched_plan: await planOf('Tea, monthly') },
    ...{ subscribed, cancelled: await subscription(), paused },
    ...{ sent, voided: await invoice(), cancelled_installments: await installments() },
  };
}

/**
 * Payments are begun by the link, which uses up none of the payments that the merchant may create in an hour. Intents
 * use up two of its other writes.
 */
export async function beginDemoPayments(program: DemoProgram, { link }: DemoObjects) {
  const pay = () => send(program, 'POST', `/payment-links/${link.link_code}/pay`, {});
  const intent = () => send(program, 'POST', '/payment-intents', DUE);
  const [read, intent_read] = [await pay(), await intent()];
  const named = {
    '/api/v1/payments/': read.payment_id,
    '/p/': read.payment_id,
    '/api/v1/payment-intents/': intent_read.id,
  };
  return {
    ...{ named, client_secret: intent_read.client_secret, cancelled_intent: await intent() },
    ...{ paid: await pay(), simulated: await pay(), submitted: await pay() },
  };
}

/** Whether payments can still be tried as they were begun. They end together. */
export async function areOpen(program: DemoProgram, { named }: DemoPayments): Promise<boolean> {
  const { status } = await send(program, 'GET', `/payments/${named['/api/v1/payments/']}/status`);
  return status === 'pending';
}

async function failedDelivery(program: DemoProgram): Promise<Made> {
  const { id } = await send(program, 'POST', '/payments', { ...DUE, webhook_url: CLOSED_URL });
  const query = `/webhooks?payment_id=${id}`;
  return until(program, query, (one) => one.status === 'failed');
}

/** Money that is less than what is due. */
async function strayReceipt(program: DemoProgram, payment_id: string): Promise<Made> {
  await send(program, 'POST', '/test_helpers/simulate', { payment_id, scenario: 'underpay' });
  return until(program, `/payments/${payment_id}/receipts`, () => true);
}

/** As many requests as a merchant may spare of the 200 that it can read with in an hour. */
const LOOKS_MAX = 20;
/** Of the first looks; a machine that is busy is given longer and longer, half a minute in all. */
const LOOK_EVERY_MS = 250;

async function until(
  program: DemoProgram,
  path: string,
  isIt: (one: Made) => boolean,
): Promise<Made> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const seen = await send<readonly Made[]>(program, 'GET', path).catch(unlessBusy);
    const found = seen.find(isIt);
    if (found) return found;
    await pause(LOOK_EVERY_MS * (1 + look / 2));
  }
  throw new Error(`The demo merchant has waited for ${path} in vain`);
}

/** Nothing was seen by a look that is to be repeated. */
function unlessBusy(error: unknown): readonly Made[] {
  if (error instanceof Error && error.cause === 503) return [];
  throw error;
}

export interface Made {
  readonly id: string;
  readonly link_code: string;
  readonly payment_id: string;
  readonly status: string;
  readonly client_secret: string;
}

async function send<Answer = Made>(
  { url, api_key }: DemoProgram,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await request(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const said = (await answer.body.json()) as Answer & { readonly error?: string };
  const { statusCode: cause } = answer;
  if (cause < 300) return said;
  throw new Error(`The demo merchant was refused ${path}: ${cause} ${said.error ?? ''}`, { cause });
}
