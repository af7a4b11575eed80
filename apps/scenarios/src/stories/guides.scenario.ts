/**
 * @landing embedded
 * @runs embedded
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newMerchant } from '../harness/merchants';
import { sharedProgram } from '../harness/running-program';

const DOCS = path.resolve(__dirname, '../../../../docs');

/** Guides wait in loops without an end: this ends what hangs. */
const PATIENCE_MS = 400_000;
/**
 * Says what `curl` says, and comes again after 503, as a person who types does: a busy machine may miss its deadlines.
 */
const PATIENT_CURL = `
curl() {
  local head answer code
  head=$(mktemp) answer=$(mktemp)
  while code=0; command curl -D "$head" "$@" > "$answer" || code=$?
    grep -q '^HTTP/[0-9.]* 503' "$head"; do sleep 1; done
  cat "$answer"
  rm "$head" "$answer"
  return "$code"
}
`;

/** What the commands of a guide say, typed one block after the other. */
async function typed(guide: string, blocks_in_it: number): Promise<string> {
  const program = sharedProgram();
  const { key: KEY } = await newMerchant(program);
  const { url: URL, admin_token: ADMIN } = program.running;
  const text = readFileSync(path.join(DOCS, guide), 'utf8');
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands);
  expect(blocks).toHaveLength(blocks_in_it);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tender-guide-'));
  try {
    const commands = PATIENT_CURL + blocks.join('echo\n');
    return execFileSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TMPDIR: folder, URL, KEY, ADMIN },
      timeout: PATIENCE_MS,
    });
  } catch (error) {
    const kept = readdirSync(folder).map((file) => `${file}: ${readFileSync(path.join(folder, file), 'utf8')}`);
    throw new Error([(error as { stdout?: string }).stdout, ...kept].join('\n'), { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('what the guide to a payment in the browser tells to type does what it says', async () => {
  const said = await typed('take-a-payment-in-the-browser.md', 5);
  expect(said).toContain('data-state="shell"');
  expect(said).toContain('"scenario":"pay"');
  expect(said).toContain('"status":"confirmed"');
  expect(said).toMatch(/"hosted_page_url":"http[^"]*\/l\/t/);
});

test('what the guide to installments tells to type does what it says', async () => {
  const said = await typed('let-a-customer-pay-in-installments.md', 4);
  expect(said).toContain('"amount":33.33,"status":"pending"');
  expect(said).toContain('"amount":33.34,"status":"pending"');
  expect(said).toContain('"paid_count":1');
  expect(said).toMatch(/"installment_number":2[^]*"status":"cancelled"[^]*1 paid and not refunded/);
});

test('what the guide to subscriptions tells to type does what it says', async () => {
  const said = await typed('sell-a-subscription.md', 5);
  expect(said).toMatch(/data-state="subscribe"[^]*data-state="due"/);
  expect(said).toMatch(/"subscription_url":"http[^"]*\/s\/plan_test_/);
  expect(said).toContain('"status":"Active"');
  expect(said).toContain('"cycles_completed":1');
  expect(said).toContain('"status":"Paused"');
  expect(said).toContain('"cancel_at_period_end":true');
  expect(said).toMatch(/"is_active":false\n$/);
});

test('what the guide to payment intents tells to type does what it says', async () => {
  const said = await typed('take-a-payment-with-an-intent.md', 4);
  const events = ['Created', 'RequiresPayment', 'Succeeded'];
  const lines = events.map((name) => `"event_type":"PaymentIntent${name}"`).join('\n');
  expect(said).toContain('"status":"processing"');
  expect(said).toContain(lines);
  expect(said).toMatch(/"status":"canceled"\n"id":"pi_test_[A-Za-z0-9]+"\n$/);
});

test('what the guide to invoices tells to type does what it says', async () => {
  const said = await typed('send-an-invoice.md', 5);
  expect(said).toMatch(/"invoice_number":"INV-\d{4}-000001"\n\n%PDF-\n\n"status":"sent"\n/);
  expect(said).toMatch(/"status":"paid"\n\n"status":"cancelled"\n$/);
});

test('what the guide to refunds tells to type does what it says', async () => {
  const said = await typed('refund-a-payment.md', 5);
  expect(said).toMatch(/^"signature"\n\n"status":"pending"\n\n"transaction_signature":"[1-9A-Za-z]+"\n"amount_usd":1.5\n/);
  expect(said).toContain('"remaining_usd":3\n"amount_usd":3\n"code":"refund_in_progress"\n');
  expect(said).toMatch(/"event":"RefundInitiated"\n"event":"RefundCompleted"\n$/);
});

test('what the guide to disputes tells to type does what it says', async () => {
  const said = await typed('answer-a-dispute.md', 6);
  expect(said).toContain('"customer_email":"ada@example.com"\n"status":"open"\n\n"total":1\n');
  expect(said).toContain('"description":"Ten days late, and nothing has come."\n');
  expect(said).toMatch(/"status":"under_review"\n\n"status":"resolved_customer_favor"\n"dispute_id":"[-0-9a-f]+"\n/);
  expect(said).toMatch(/"status":"resolved_merchant_favor"\n$/);
});

test('what the guide to held payments tells to type does what it says', async () => {
  const said = await typed('hold-and-capture.md', 3);
  expect(said).toMatch(/^"status":"processing"\n\n"status":"processing"\n"status":"completed"\n/);
  expect(said).toMatch(/"status":"canceled"\n"amount_usd":25\n$/);
});
