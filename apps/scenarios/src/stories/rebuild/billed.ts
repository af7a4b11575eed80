import { Keypair } from '@solana/web3.js';
import { eventually } from '../../harness/eventually';
import type { Client } from '../../harness/client';

const CUSTOMER = { customer_email: 'ada.rebuilt@example.com', customer_name: 'Ada Obi' };
const MAILS = `/api/v1/test_helpers/emails?to=${CUSTOMER.customer_email}`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

/** What was written to the customer of `bill`, since the process began. */
export const mailsOf = async (api: Client): Promise<readonly Json[]> => (await api.get(MAILS)).json;

/**
 * A subscription and an installment that are charged, and an invoice that is sent, once their payments have begun and
 * their mails are there. Answers the paths that tell of them.
 */
export async function bill(api: Client): Promise<readonly string[]> {
  const post = async (path: string, body: object = {}): Promise<Json> => {
    const { status, json, text } = await api.post(`/api/v1/${path}`, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return json;
  };
  const customer = { ...CUSTOMER, customer_wallet: Keypair.generate().publicKey.toBase58() };
  const gold = await post('subscription-plans', { name: 'Gold', amount: 2, billing_interval: 'monthly' });
  const { id: subscription } = await post('subscriptions', { plan_id: gold.id, ...customer });
  const { id: plan } = await post('installment-plans', {
    ...{ ...customer, total_amount: 10, installment_count: 3, payment_frequency_days: 30 },
  });
  await post(`installment-plans/${plan}/pay`);
  const { id: invoice } = await post('invoices', { ...CUSTOMER, amount: 25, description: 'Work' });
  await post(`invoices/${invoice}/send`);
  await eventually(() => mailsOf(api), (mails) => mails.length === 3);
  return [
    ...['subscription-plans', `subscription-plans/${gold.id}`, `subscriptions/${subscription}`],
    ...['installment-plans', `installment-plans/${plan}`, `installment-plans/${plan}/next-due`],
    ...['invoices', `invoices/${invoice}`],
  ].map((path) => `/api/v1/${path}`);
}
