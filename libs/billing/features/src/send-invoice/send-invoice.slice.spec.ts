import { openPaymentLink } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { billingStage } from '../testing/billing-stage';
import { DAY_MS } from '../testing/a-subscription';
import { ADA, invoicesOf, WORK } from '../testing/invoices';
import { playPayments, type PlayedPayments } from '../testing/played-payments';

let stage: ContextStage;
let payments: PlayedPayments;
let invoices: ReturnType<typeof invoicesOf>;
beforeAll(async () => {
  stage = await billingStage();
  payments = playPayments(stage);
  invoices = invoicesOf(stage);
});
afterAll(() => stage?.close());
beforeEach(() => void (payments.refusal = null));

async function draft(body: object = {}): Promise<string> {
  const { status, json } = await invoices.create(body);
  expect(status).toBe(201);
  return json.id as string;
}
async function sent(body: object = {}): Promise<string> {
  const id = await draft(body);
  expect((await invoices.act(id, 'send')).status).toBe(200);
  return id;
}
async function now(id: string) {
  await stage.settle();
  return (await invoices.get(`/${id}`)).json;
}
const ahead = (days: number) => new Date(stage.runtime.clock.now() + days * DAY_MS).toISOString();

test('an invoice is sent once, with a link that stands for it and knows its customer', async () => {
  const id = await draft();
  const { status, json } = await invoices.act(id, 'send');
  expect([status, json]).toEqual([
    200,
    {
      ...{ success: true, invoice_id: id, invoice_number: expect.stringMatching(/^INV-/) as string },
      ...{ sent_to: ADA.email, payment_url: expect.stringContaining('/l/') as string },
      ...{ status: 'sent', onramp: false, max_uses: 1 },
    },
  ]);
  expect(payments.linkOf(id).claim).toEqual({
    ...{ merchant_id: 'm1', amount: 100.5, token: 'USDC', description: WORK.description },
    ...{ max_uses: 1, is_for_one_thing: true, collect_customer_info: false, customer: ADA },
    metadata: { invoice_id: id },
  });
  const again = await invoices.act(id, 'send');
  expect([again.status, again.json.code]).toEqual([409, 'invoice_already_sent']);
  expect(payments.links.filter(({ claim }) => claim.metadata?.['invoice_id'] === id)).toHaveLength(1);
});

test('the same request again is the same answer', async () => {
  const id = await draft();
  const repeat = { command_id: `c-${id}` };
  const first = await invoices.act(id, 'send', repeat);
  const again = await invoices.act(id, 'send', repeat);
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test('cancelled while it is sent: it stays cancelled, and the link that was made for it is closed', async () => {
  const id = await draft();
  const { calls } = stage.runtime;
  const ask = calls.ask.bind(calls);
  const meanwhile = jest.spyOn(calls, 'ask').mockImplementation(async (call, ...rest) => {
    const answer = await ask(call as never, ...(rest as [never, never]));
    if (call.name === openPaymentLink.name) await invoices.act(id, 'cancel');
    return answer;
  });
  const refused = await invoices.act(id, 'send');
  meanwhile.mockRestore();
  expect([refused.status, refused.json.code]).toEqual([409, 'invalid_invoice_state']);
  expect(payments.linkOf(id).is_closed).toBe(true);
  expect(await now(id)).toMatchObject({ status: 'cancelled', payment_url: null });
});

/** The process dies right after payments has answered, or right before. */
async function dyingAt(when: 'before' | 'after', act: () => Promise<{ status: number }>) {
  const { calls } = stage.runtime;
  const ask = calls.ask.bind(calls);
  const dying = jest.spyOn(calls, 'ask').mockImplementation(async (call, ...rest) => {
    if (call.name !== openPaymentLink.name) return ask(call as never, ...(rest as [never, never]));
    if (when === 'after') await ask(call as never, ...(rest as [never, never]));
    throw new Error('the process dies');
  });
  expect((await act()).status).toBe(500);
  dying.mockRestore();
}
const linksOf = (id: string) =>
  payments.links.filter(({ claim }) => claim.metadata?.['invoice_id'] === id);

test('a process dies once the link is open: sent again, it is the same link', async () => {
  const id = await draft();
  await dyingAt('after', () => invoices.act(id, 'send'));
  expect((await now(id)).status).toBe('draft');
  expect((await invoices.act(id, 'send')).status).toBe(200);
  expect(linksOf(id)).toHaveLength(1);
});

test('a process dies once the link is open: what is paid by it pays the invoice', async () => {
  const id = await draft();
  await dyingAt('after', () => invoices.act(id, 'send'));
  const at = new Date(stage.runtime.clock.now()).toISOString();
  await payments.confirm(payments.linkOf(id), { payment_id: `pay_test_${id}`, at });
  expect(await now(id)).toMatchObject({ status: 'paid', paid_at: at });
  const refused = await invoices.act(id, 'send');
  expect([refused.status, refused.json.code]).toEqual([409, 'invalid_invoice_state']);
  await stage.settle();
  expect(linksOf(id).map(({ is_closed }) => is_closed)).toEqual([true]);
});

test.each(['after', 'before'] as const)('a process dies %s the link is open: cancelled, nothing is paid by that link', async (when) => {
  const id = await draft();
  await dyingAt(when, () => invoices.act(id, 'send'));
  expect((await invoices.act(id, 'cancel')).json.status).toBe('cancelled');
  await stage.settle();
  expect(linksOf(id).map(({ is_closed }) => is_closed)).toEqual([true]);
  if (when === 'before') return;
  await payments.confirm(payments.linkOf(id));
  expect(await now(id)).toMatchObject({ status: 'cancelled', paid_at: expect.any(String) as string });
});

test('a link of several uses knows no customer; one that asks for details neither', async () => {
  const several = await sent({ payment_link_max_uses: 3 });
  expect(payments.linkOf(several).claim).toMatchObject({ max_uses: 3, is_for_one_thing: false });
  const asking = await sent({ collect_customer_info: true });
  expect(payments.linkOf(asking).claim).toMatchObject({ collect_customer_info: true });
  for (const id of [several, asking]) expect(payments.linkOf(id).claim).not.toHaveProperty('customer');
});

test('a merchant without a wallet sends nothing, and does once it has one', async () => {
  const id = await draft();
  payments.refusal = 'wallet_not_ready';
  const refused = await invoices.act(id, 'send');
  expect([refused.status, refused.json.code]).toEqual([409, 'wallet_not_ready']);
  expect((await now(id)).status).toBe('draft');
  payments.refusal = null;
  expect((await invoices.act(id, 'send')).status).toBe(200);
});

test.each([{}, { payment_link_max_uses: 3 }])('a payment by its link pays it, once, and the link closes: %j', async (body) => {
  const id = await sent(body);
  const link = payments.linkOf(id);
  const at = new Date(stage.runtime.clock.now()).toISOString();
  await payments.confirm(link, { payment_id: `pay_test_a${id}`, at });
  await stage.settle();
  await payments.confirm(link, { payment_id: `pay_test_b${id}`, at: ahead(1) });
  expect(await now(id)).toMatchObject({ status: 'paid', paid_at: at });
  expect(link.is_closed).toBe(true);
  for (const [step, code] of [
    ['send', 'invalid_invoice_state'],
    ['remind', 'invalid_invoice_state'],
    ['cancel', 'invoice_not_cancellable'],
  ] as const) {
    const refused = await invoices.act(id, step);
    expect([refused.status, refused.json.code]).toEqual([409, code]);
    expect(refused.json.details).toMatchObject({ status: 'paid' });
  }
});

test('it is overdue in the night after its due date, UTC, and can still be paid', async () => {
  const id = await sent({ due_date: ahead(2) });
  expect((await now(id)).status).toBe('sent');
  stage.advance(2 * DAY_MS);
  expect((await now(id)).status).toBe('sent');
  stage.advance(DAY_MS);
  expect((await now(id)).status).toBe('overdue');
  const reminded = await invoices.act(id, 'remind');
  expect([reminded.status, reminded.json.status, reminded.json.sent_to]).toEqual([200, 'overdue', ADA.email]);
  await payments.confirm(payments.linkOf(id));
  expect((await now(id)).status).toBe('paid');
});

test('one without a due date, or that was not sent, is never overdue', async () => {
  const [undated, unsent] = [await sent(), await draft({ due_date: ahead(1) })];
  stage.advance(30 * DAY_MS);
  expect([(await now(undated)).status, (await now(unsent)).status]).toEqual(['sent', 'draft']);
});

test.each(['cancel', 'void'])('%s: from draft and sent; its link closes, and money under way still counts', async (step) => {
  const unsent = await draft();
  expect((await invoices.act(unsent, step)).json.status).toBe('cancelled');
  const refused = await invoices.act(unsent, 'send');
  expect([refused.status, refused.json.code]).toEqual([409, 'invalid_invoice_state']);
  expect(payments.links.some(({ claim }) => claim.metadata?.['invoice_id'] === unsent)).toBe(false);

  const id = await sent();
  const { status, json } = await invoices.act(id, step);
  expect([status, json.status]).toEqual([200, 'cancelled']);
  await stage.settle();
  const link = payments.linkOf(id);
  expect(link.is_closed).toBe(true);
  const again = await invoices.act(id, step);
  expect([again.status, again.json.code]).toEqual([409, 'invoice_not_cancellable']);
  await payments.confirm(link);
  expect(await now(id)).toMatchObject({ status: 'cancelled', paid_at: expect.any(String) as string });
});

test('its customer is reminded once an hour: 429 says when again, and a repeat of the request is its answer', async () => {
  const id = await sent();
  const repeat = { command_id: `r-${id}` };
  const first = await invoices.act(id, 'remind', repeat);
  expect(first.status).toBe(200);
  const refused = await invoices.act(id, 'remind');
  expect([refused.status, refused.json]).toMatchObject([
    429,
    { code: 'too_many_reminders', details: { next_reminder_at: expect.any(String) as string } },
  ]);
  const after = Number(refused.headers['retry-after']);
  expect([refused.json.retry_after, after > 3_000 && after <= 3_600]).toEqual([after, true]);
  expect((await invoices.act(id, 'remind', repeat)).text).toBe(first.text);
  stage.advance(after * 1000);
  expect((await invoices.act(id, 'remind')).status).toBe(200);
});

test('a draft cannot be reminded of', async () => {
  const refused = await invoices.act(await draft(), 'remind');
  expect([refused.status, refused.json.code]).toEqual([409, 'invalid_invoice_state']);
});
