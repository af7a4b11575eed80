/**
 * @landing postgres
 * @program own
 */
import { INSTRUMENTS, type InstrumentName } from '@tender/eventing';
import { freshTestWallet } from '@tender/transactions/testing';
import { request } from 'undici';
import { idempotencyKey, type Answer } from '../harness/client';
import { Collector, type CollectedSpan } from '../harness/collector';
import { signedTransaction } from './checkout/customer-wallet';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { newMerchant, type Merchant } from '../harness/merchants';

let program: Program;
let collector: Collector;
let receiver: Receiver;
let merchant: Merchant;
let secret: string;
const customer_email = 'canary.customer@tender.test';

/** Names and labels as Prometheus reads them, `name{label="…",…} value`. */
interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function scrape(): Promise<{ readonly text: string; readonly samples: readonly Sample[] }> {
  const pages = await Promise.all(
    program.running.metrics_ports.map(async (port) => {
      const answer = await request(`http://127.0.0.1:${port}/metrics`);
      return answer.body.text();
    }),
  );
  const text = pages.join('\n');
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({ name, labels, value: Number(value) }),
  );
  return { text, samples };
}

beforeAll(async () => {
  [collector, receiver] = await Promise.all([Collector.start(), Receiver.start()]);
  program = await Program.start({
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  merchant = await newMerchant(program, { name: 'Canary Yellow Ltd' });
  const configured = await merchant.api.put('/api/v1/merchants/me/webhook', {
    webhook_url: receiver.url,
  });
  secret = configured.json.webhook_secret;
});
afterAll(async () => {
  await program.discard();
  await Promise.all([collector.close(), receiver.close()]);
});

/** As a customer without SOL pays, whose fee the service pays. False where treasury did not offer that in time. */
async function payWithoutFee(payment_id: string): Promise<boolean> {
  const payer = freshTestWallet();
  const faucet = { address: payer.address, token: 'USDC', amount: 5 };
  await merchant.api.post('/api/v1/test_helpers/faucet', faucet);
  const act = (action: string, body: object) =>
    program.client().post(`/api/v1/payments/${payment_id}/${action}`, body);
  const wanted = { payer_wallet: payer.address, prefer_gasless: true };
  const built = await act('build-transaction', wanted);
  expect(built.status).toBe(200);
  if (!built.json.is_gasless) return false;
  const body = { signed_transaction: signedTransaction(built.json, payer) };
  expect((await act('submit-gasless-transaction', body)).status).toBe(200);
  return true;
}

async function create(headers: Record<string, string> = {}): Promise<Answer> {
  const created = await merchant.api.post('/api/v1/payments', { amount: 3, customer_email }, headers);
  expect(created.status).toBe(200);
  return created;
}

const untilSettled = (id: string): Promise<void> =>
  receiver.until((deliveries) =>
    deliveries.some(({ json }) => json.event === 'SettlementCompleted' && json.payment.id === id),
  );

/** Creates and pays; answers the correlation id of the creation. */
async function paidPayment(headers: Record<string, string>): Promise<string> {
  const created = await create(headers);
  await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: created.json.id });
  await untilSettled(created.json.id);
  return String(created.headers['x-correlation-id']);
}

/**
 * Creates and pays without a fee. Answers how many were created in vain before: one that was built otherwise, for
 * treasury was late on a busy machine, stays as it was built.
 */
async function paidWithoutFee(in_vain = 0): Promise<number> {
  const { id } = (await create()).json;
  if (!(await payWithoutFee(id))) return paidWithoutFee(in_vain + 1);
  await untilSettled(id);
  return in_vain;
}

const attribute = (span: CollectedSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

const STATIONS = [
  'POST /api/v1/payments',
  'append payment',
  'react chain-indexer.watch-payments',
  'append watch',
  'react payments.follow-watch',
  'react webhook-dispatcher.plan-deliveries',
  'webhook attempt',
];

test('one trace, named by the correlation id, goes from the request to the last webhook', async () => {
  const theirs = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
  const correlation_id = await paidPayment({
    traceparent: `00-${theirs.traceId}-${theirs.spanId}-01`,
  });
  const webhooks = (names: readonly string[]) =>
    names.filter((name) => name === 'webhook attempt').length;
  // Each process sends its own spans in its own time.
  const spans = await collector.trace(
    correlation_id,
    (names) => webhooks(names) >= 3 && STATIONS.every((name) => names.includes(name)),
  );
  const root = spans.find(({ name }) => name === 'POST /api/v1/payments');
  expect(root?.parentSpanId).toBeUndefined();
  expect(attribute(root, 'http.response.status_code')).toBe(200);
  expect(root?.links).toEqual([expect.objectContaining(theirs)]);
  const others = spans.filter((span) => span !== root);
  expect(new Set(others.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root?.spanId]));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});

const requests = (names: readonly string[]) =>
  names.filter((name) => name.startsWith('GET ')).length;

test('a correlation id of the client’s own names the trace, and no request is taken for its first', async () => {
  const correlation_id = 'a3ce929d-4bf9-42f3-977b-0e0e47364da6';
  const mine = { 'x-correlation-id': correlation_id };
  await merchant.api.get('/api/v1/payments', mine);
  await merchant.api.get('/api/v1/receipts', mine);
  const spans = await collector.trace(correlation_id, (names) => requests(names) >= 2);
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId));
  expect([...parents]).toEqual(['977b0e0e47364da6']);
});

const planner = 'webhook-dispatcher.plan-deliveries"';
/** Seconds, of what has nothing left to do. */
const LAGS = [
  ['tender_follower_lag_seconds', planner, 'test'],
  ['tender_follower_lag_seconds', 'payments.payment-details@', 'test'],
  ['tender_webhook_oldest_due_seconds', 'first'],
  ['tender_mail_oldest_due_seconds', 'context="billing"'],
  ['tender_mail_oldest_due_seconds', 'context="accounts"'],
  ['tender_chain_lag_seconds', 'test'],
] as const;

/** Counts what has not happened here. */
const NOT_HERE: readonly InstrumentName[] = [
  'tender_webhook_exhausted_total',
  'tender_outgoing_transfers_total',
];
/** A follower that fails tries again, and on a busy machine one may; invariants are checked after half a minute. */
const MAY_BE_HERE: readonly InstrumentName[] = [
  'tender_follower_failures_total',
  'tender_invariant_checked_total',
];

/** What billing charges, and writes of: its payment waits for its money. */
async function chargedSubscription(): Promise<void> {
  const gold = { name: 'Gold', amount: 2, billing_interval: 'monthly' };
  const plan = await merchant.api.post('/api/v1/subscription-plans', gold);
  const customer = { customer_wallet: freshTestWallet().address, customer_email };
  const body = { plan_id: plan.json.id, ...customer };
  expect((await merchant.api.post('/api/v1/subscriptions', body)).status).toBe(201);
}

const valueIn = (samples: readonly Sample[], name: string, ...labels: readonly string[]) =>
  samples.find((one) => one.name === name && labels.every((label) => one.labels.includes(label)))
    ?.value;

test('every measure is there, with a sensible value', async () => {
  await merchant.api.post('/api/v1/payments', { amount: 4, webhook_url: 'http://127.0.0.1:1/' });
  await chargedSubscription();
  const repeated = idempotencyKey();
  for (const _ of [1, 2]) await merchant.api.post('/api/v1/payments', { amount: 5 }, repeated);
  const in_vain = await paidWithoutFee();
  // Money without a payment is judged once the indexer has heard how far the relay of payments is.
  const gift = { address: merchant.wallet, token: 'USDC', amount: 3 };
  expect((await merchant.api.post('/api/v1/test_helpers/faucet', gift)).status).toBe(200);
  await program.client().get('/readyz');
  // What lags catches up, and what is counted behind an answer is counted, once the last attempt is over.
  const { samples } = await eventually(scrape, ({ samples: told }) => {
    const attempts = (outcome: string) => valueIn(told, 'tender_webhook_attempt_seconds_count', outcome);
    const hasFailed = attempts('connect_failed') !== undefined && (attempts('delivered') ?? 0) >= 7;
    const lag = ([name, ...labels]: (typeof LAGS)[number]) => valueIn(told, name, ...labels);
    const hasLanded = valueIn(told, 'tender_sponsored_transactions_total', 'landed') !== undefined;
    const hasMailed = valueIn(told, 'tender_mail_attempts_total', 'sent') !== undefined;
    const isCharged = valueIn(told, 'tender_chain_watches', 'test') === 3 + in_vain;
    const hasJudged = valueIn(told, 'tender_chain_credits_total', 'test', 'unmatched') === 1;
    const hasHappened = hasFailed && hasLanded && hasMailed && isCharged && hasJudged;
    return hasHappened && LAGS.every((one) => (lag(one) ?? Infinity) < 5);
  });

  const told = new Set(samples.map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')));
  const names = Object.keys(INSTRUMENTS) as InstrumentName[];
  const silent = names.filter((name) => !told.has(name) && !MAY_BE_HERE.includes(name));
  expect(silent).toEqual(NOT_HERE);

  const value = (name: string, ...labels: readonly string[]) => valueIn(samples, name, ...labels);
  const route = 'route="/api/v1/payments"';
  const created = value('tender_http_request_seconds_count', route, 'method="POST"', 'status="2xx"');
  expect(created).toBe(5 + in_vain);
  expect(value('tender_http_requests_in_flight')).toBe(0);
  // Counted from the start on, for a first one has to be seen to rise.
  expect(value('tender_signer_alarms_total', 'code="tx_amount_mismatch"')).toBe(0);
  expect(value('tender_idempotency_replays_total', route)).toBe(1);
  expect(value('tender_rate_limit_decisions_total', 'creation', 'admitted')).toBeGreaterThanOrEqual(5);
  expect(value('tender_append_seconds_count', 'noun="payment"', 'appended')).toBeGreaterThanOrEqual(4);
  expect(value('tender_call_seconds_count', 'call="chain-indexer.health"', 'answered')).toBeGreaterThan(0);
  expect(value('tender_call_seconds_count', 'call="payments.tell-progress"', 'answered')).toBeGreaterThan(0);
  expect(value('tender_follower_events_total', planner, 'test')).toBeGreaterThanOrEqual(8);
  expect(value('tender_parked_messages', planner, 'test', 'waiting')).toBe(0);
  expect(value('tender_webhook_first_attempt_lag_seconds_count', 'test')).toBeGreaterThanOrEqual(8);
  expect(value('tender_webhook_attempt_seconds_count', 'delivered')).toBeGreaterThanOrEqual(7);
  expect(value('tender_webhook_in_flight', 'slow')).toBe(0);
  expect(value('tender_chain_blocks_total', 'test')).toBeGreaterThan(0);
  // Money that a look-up has found counts once more where its block is read.
  expect(value('tender_chain_credits_total', 'test', 'paid')).toBeGreaterThanOrEqual(2);
  expect(value('tender_mail_attempts_total', 'sent')).toBe(1);
  expect(value('tender_sponsored_transactions_total', 'test')).toBe(1);
  expect(value('tender_sponsor_balance_lamports', 'live')).toBeGreaterThan(0);
  for (const kind of ['refund', 'settlement']) {
    expect(value('tender_money_out_oldest_seconds', `kind="${kind}"`, 'mode="test"')).toBe(0);
  }
  expect(value('tender_lease_held', 'chain-indexer.test')).toBe(1);
  expect(value('tender_read_model_connections', 'idle')).toBeGreaterThan(0);
  expect(value('tender_memory_bytes', 'rss')).toBeGreaterThan(5e7);
});

test('labels are bounded, and neither metrics, spans nor log lines show a secret or personal data', async () => {
  const { text } = await scrape();
  await program.stop();
  const hidden = {
    'the key': merchant.key,
    'the webhook secret': secret.slice('whsec_'.length),
    'the merchant’s e-mail': merchant.email,
    'the customer’s e-mail': customer_email,
  };
  const bounded = { ...hidden, 'the merchant': merchant.id, 'a payment': 'pay_test_', 'a URL': receiver.url };
  const leaks = (place: string, canaries: object) =>
    Object.entries(canaries).filter(([, canary]) => place.includes(canary as string));
  expect(leaks(text, bounded)).toEqual([]);
  expect(collector.spans.length).toBeGreaterThan(20);
  expect(leaks(collector.text, bounded)).toEqual([]);
  expect(leaks(program.output, hidden)).toEqual([]);
});

test('the log line of a webhook that was not answered names the request that caused it', () => {
  const lines = program.output.split('\n').filter((line) => line.includes('a webhook was not answered'));
  const said = lines.map((line) => (JSON.parse(line) as { correlation_id: string }).correlation_id);
  expect(said.length).toBeGreaterThan(0);
  const attempts = collector.spans.filter(
    (span) => attribute(span, 'tender.outcome') === 'connect_failed',
  );
  const traces = new Set(attempts.map(({ traceId }) => traceId));
  expect(said.every((correlation_id) => traces.has(correlation_id.replaceAll('-', '')))).toBe(true);
});
