/**
 * @landing embedded
 * @runs embedded
 */
import { newMerchant, type Merchant } from '../harness/merchants';
import { Receiver, signedWith, type Delivery } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';
import { tender, type Told } from '../harness/tender';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black box: its lines are what is under test
type Line = any;

/** `tender listen`, ended when `work` is done; answers the lines that it wrote meanwhile. */
async function whileListening(
  merchant: Merchant,
  options: readonly string[],
  work: (opening: Line, lines: readonly Line[]) => Promise<void>,
): Promise<{ lines: readonly Line[]; told: Told }> {
  const lines: Line[] = [];
  let worked: Promise<void> | null = null;
  const env = { TENDER_URL: sharedProgram().url, TENDER_API_KEY: merchant.key };
  const told = await tender(['listen', ...options], env, (text, kill) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    worked ??= work(line, lines).finally(() => kill('SIGTERM'));
    // What it throws is thrown below.
    worked.catch(() => undefined);
  });
  await worked;
  return { lines, told };
}

const testEvent = ({ api }: Merchant) => api.post('/api/v1/merchants/me/webhook/test');

test('a merchant without a server sees what Tender sends, and leaves nothing behind', async () => {
  const merchant = await newMerchant(sharedProgram());
  const { lines, told } = await whileListening(merchant, [], async () => {
    expect((await testEvent(merchant)).json).toMatchObject({ success: true, status_code: 200 });
  });
  expect(told).toMatchObject({ code: 0, errors: '' });
  expect(lines).toEqual([
    expect.objectContaining({ phase: 'listening', webhook_secret: expect.stringMatching(/^whsec_/) }),
    expect.objectContaining({ event: 'WebhookTest', attempt: 1, signature: 'ok', answered: 200 }),
    expect.objectContaining({ phase: 'ended', deliveries: 1 }),
  ]);
  expect((await testEvent(merchant)).json.code).toBe('webhook_not_configured');
});

test('a server at work gets each delivery as it came, and Tender its answer', async () => {
  const merchant = await newMerchant(sharedProgram());
  const target = await Receiver.start();
  let secret = '';
  const { lines } = await whileListening(merchant, ['--forward-to', `${target.url}/hooks`], async (opening) => {
    secret = opening.webhook_secret;
    target.answerWith((_, response) => response.writeHead(418).end('a teapot'));
    const refused = await testEvent(merchant);
    expect(refused.json).toMatchObject({ success: false, status_code: 418, response_body: 'a teapot' });
    target.answerWith((_, response) => response.end('ok'));
    await merchant.api.post('/api/v1/payments', { amount: 10, token: 'USDC', description: 'Café ☕' });
    await target.until((deliveries) => deliveries.length === 2);
    await target.close();
    const down = await testEvent(merchant);
    expect(down.json).toMatchObject({ success: false, status_code: 502 });
  });
  const [test, created] = target.deliveries as [Delivery, Delivery];
  expect([test, created].map((delivery) => signedWith(secret, delivery))).toEqual([true, true]);
  expect([created.path, created.json.payment.description]).toEqual(['/hooks', 'Café ☕']);
  const { headers, json } = created;
  expect(headers['webhook-id']).toBe(headers['x-svc-delivery']);
  expect(lines.slice(1, -1)).toEqual([
    expect.objectContaining({ event: 'WebhookTest', answered: 418, fault: null }),
    expect.objectContaining({ event: 'PaymentCreated', object: json.payment.id, answered: 200, body: json }),
    expect.objectContaining({ event: 'WebhookTest', answered: 502, fault: 'ECONNREFUSED' }),
  ]);
});
