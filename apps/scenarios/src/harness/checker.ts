import { expect } from '@jest/globals';
import pg from 'pg';
import type { Answer } from './client';
import { eventually } from './eventually';
import type { Receiver } from './receiver';
import type { RunningProgram } from './running-program';
import { storedEvents } from './stored-events';
import type { Merchant } from './merchants';

export interface Order {
  readonly key: string;
  readonly amount: number;
  /** The first answer, byte for byte; null when none came. */
  answer: string | null;
}

/** What the client knows: what it asked, what it was answered, what it paid on chain. */
export class History {
  readonly orders: Order[] = [];
  /** Payment id → signature of the transfer. */
  readonly paid = new Map<string, string>();
  private orders_checked = 0;
  private readonly paid_checked = new Set<string>();

  /** Orders that no check has repeated yet. */
  newOrders(): readonly Order[] {
    return this.orders.slice(this.orders_checked);
  }

  newlyPaid(): readonly (readonly [string, string])[] {
    return [...this.paid].filter(([id]) => !this.paid_checked.has(id));
  }

  noteChecked(): void {
    this.orders_checked = this.orders.length;
    for (const id of this.paid.keys()) this.paid_checked.add(id);
  }

  /** The next check looks at everything again. */
  forgetChecks(): void {
    this.orders_checked = 0;
    this.paid_checked.clear();
  }
}

/**
 * Compares the client's answers, the log, the read models, the chain and the receiver's requests
 * (promises P1–P4, P7, P8). Sends what is new since the last check again first, as a client that saw no answer would.
 */
export async function check(
  program: RunningProgram,
  merchant: Merchant,
  receiver: Receiver,
  history: History,
): Promise<void> {
  for (const order of history.newOrders()) {
    const again = await repeated(merchant, order);
    expect([again.status, order.key]).toEqual([200, order.key]);
    if (order.answer !== null) {
      expect(again.text).toBe(order.answer);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    order.answer = again.text;
  }
  const ids = history.orders.map(({ answer }) => JSON.parse(answer as string).id as string);
  expect(new Set(ids).size).toBe(history.orders.length);
  // A list may be stale while another replica takes over; it says so and catches up.
  const list = await eventually(
    () => merchant.api.get('/api/v1/payments?limit=1'),
    ({ json }) => json.pagination?.total >= history.orders.length,
  );
  expect(list.json.pagination.total).toBe(history.orders.length);

  for (const [id, signature] of history.newlyPaid()) {
    const payment = await eventually(
      () => merchant.api.get(`/api/v1/payments/${id}`),
      ({ json }) => json.status === 'confirmed',
    );
    expect(payment.json.transaction_signature).toBe(signature);
  }
  const confirmed = await compareLogWithTables(program, ids);
  await compareWebhooks(merchant, receiver, history.orders.length + 2 * confirmed);
  history.noteChecked();
}

/** The same for everything that was ever asked, answered and paid: what an earlier check saw still holds. */
export async function checkFromTheBeginning(
  ...[program, merchant, receiver, history]: Parameters<typeof check>
): Promise<void> {
  history.forgetChecks();
  await check(program, merchant, receiver, history);
}

/** As a client repeats: again after a 503 or a cut connection, until there is an answer. */
async function repeated(merchant: Merchant, { amount, key }: Order): Promise<Answer> {
  const ask = () =>
    merchant.api
      .once()
      .post('/api/v1/payments', { amount }, { 'idempotency-key': key })
      .catch(() => null);
  const answer = await eventually(ask, (given) => given !== null && given.status !== 503);
  return answer as Answer;
}

/** Answers how many payments are confirmed: more than the client knows, when it died while paying. */
async function compareLogWithTables(
  program: RunningProgram,
  ids: readonly string[],
): Promise<number> {
  const sql = new pg.Client({ connectionString: program.running.postgres.connection_string });
  await sql.connect();
  try {
    const logged = new Map<string, string[]>();
    for (const { stream, type } of await storedEvents(program, 'payment.test')) {
      logged.set(stream, [...(logged.get(stream) ?? []), type]);
    }
    for (const types of logged.values()) {
      expect(types.filter((type) => type === 'PaymentCreated')).toHaveLength(1);
      expect(types.filter((type) => type === 'PaymentConfirmed').length).toBeLessThan(2);
    }
    const created = ids.filter((id) => logged.has(`payment.test-${id}`));
    expect(created).toHaveLength(ids.length);
    const rows = await eventually(
      async () =>
        (await sql.query('select id from payments.payment_details where id = any($1)', [ids])).rows,
      (found) => found.length === ids.length,
    );
    expect(rows).toHaveLength(ids.length);
    return ids.filter((id) => logged.get(`payment.test-${id}`)?.includes('PaymentConfirmed')).length;
  } finally {
    await sql.end();
  }
}

async function compareWebhooks(
  merchant: Merchant,
  receiver: Receiver,
  expected: number,
): Promise<void> {
  const events = await eventually(
    () => everyEvent(merchant),
    (all) => counted(all).length >= expected,
  );
  const eventIds = events.map(({ id }) => id);
  expect(new Set(eventIds).size).toBe(eventIds.length);
  expect(counted(events)).toHaveLength(expected);

  // Each event was posted, always under one delivery id.
  await receiver.until((all) => {
    const seen = new Set(all.map(({ json }) => json.id));
    return eventIds.every((id) => seen.has(id));
  });
  const deliveryIds = new Map<string, Set<string>>();
  for (const { json, headers } of receiver.deliveries) {
    const of = deliveryIds.get(json.id) ?? new Set();
    deliveryIds.set(json.id, of.add(String(headers['x-svc-delivery'])));
  }
  for (const of of deliveryIds.values()) expect(of.size).toBe(1);

  // P3: of one payment, event n+1 is first posted after event n.
  const posted = new Map<string, number[]>();
  for (const { json } of receiver.deliveries) {
    const of = posted.get(json.payment?.id) ?? [];
    if (!of.includes(json.resource_version))
      posted.set(json.payment?.id, [...of, json.resource_version]);
  }
  for (const of of posted.values()) expect(of).toEqual([...of].sort((one, two) => one - two));
}

interface MerchantEvent {
  readonly id: string;
  readonly event: string;
}

/** Orders that are not paid expire after a quarter of an hour, which a story of faults may last on a slow machine. */
const counted = (events: readonly MerchantEvent[]): readonly MerchantEvent[] =>
  events.filter(({ event }) => event !== 'PaymentExpired');

async function everyEvent(merchant: Merchant): Promise<MerchantEvent[]> {
  const all: MerchantEvent[] = [];
  let after = '';
  for (;;) {
    const path = `/api/v1/events?limit=100${after && `&after=${after}`}`;
    const page = await eventually(() => merchant.api.get(path), ({ status }) => status !== 503);
    all.push(...page.json.data.map(({ event }: { event: MerchantEvent }) => event));
    if (!page.json.has_more) return all;
    after = encodeURIComponent(page.json.next_cursor);
  }
}
