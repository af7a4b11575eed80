import {
  closePaymentLink,
  openedLinkId,
  openPayment,
  openPaymentLink,
  type LinkClaim,
} from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { payment } from '../payment-details/payment.aggregate';
import { fateOf, type Fate } from '../testing/payment-fates';
import { paymentsStage } from '../testing/payments-stage';

let stage: ContextStage;
let fate: Fate;
let commands = 0;
beforeAll(async () => {
  stage = await paymentsStage({}, { poor: { wallet: null } });
  fate = fateOf(stage);
});
afterAll(() => stage?.close());

const CLAIM = { merchant_id: 'm1', amount: 25 };
const asking = (command_id = `c-${(commands += 1)}`) =>
  ({ mode: 'test', correlation_id: 'corr', command_id }) as const;
const ahead = (ms: number) => new Date(stage.runtime.clock.now() + ms).toISOString();
const pay = (name: string) =>
  stage.send('POST', `/api/v1/payment-links/${name}/pay`, stage.caller());
const DAY_MS = 24 * 60 * 60 * 1000;

async function newLink(changes: Partial<LinkClaim> = {}) {
  const opened = await stage.runtime.calls.ask(openPaymentLink, { ...CLAIM, ...changes }, asking());
  if (!opened.ok) throw new Error(opened.refusal);
  return opened.value;
}

test('a payment lives until the time that its caller sets; asked again it is the same', async () => {
  const { calls } = stage.runtime;
  const expires_at = ahead(3 * DAY_MS);
  const claim = { ...CLAIM, expires_at, customer: { email: 'ada@example.com' } };
  const opened = await calls.ask(openPayment, claim, asking('c-same'));
  expect(opened).toMatchObject({ ok: true, value: { expires_at } });
  expect(await calls.ask(openPayment, claim, asking('c-same'))).toEqual(opened);
  const past = await calls.ask(openPayment, { ...CLAIM, expires_at: ahead(-1) }, asking());
  expect(past).toMatchObject({ ok: false, refusal: 'invalid_parameter' });
  const poor = await calls.ask(openPayment, { ...claim, merchant_id: 'poor' }, asking());
  expect(poor).toMatchObject({ ok: false, refusal: 'wallet_not_ready' });
  const large = await calls.ask(openPayment, { ...claim, amount: 1_000_000 }, asking());
  expect(large).toMatchObject({ ok: false, refusal: 'amount_too_large' });
});

test('what was opened is the answer after its time as well', async () => {
  const { calls } = stage.runtime;
  const payment = { ...CLAIM, expires_at: ahead(DAY_MS) };
  const link = { ...CLAIM, expires_at: ahead(DAY_MS), payments_expire_at: ahead(DAY_MS) };
  const ask = async () => [
    await calls.ask(openPayment, payment, asking('c-late')),
    await calls.ask(openPaymentLink, link, asking('c-late')),
  ];
  const opened = await ask();
  expect(opened).toMatchObject([{ ok: true }, { ok: true }]);
  stage.advance(2 * DAY_MS);
  expect(await ask()).toEqual(opened);
  const payment_link_id = openedLinkId(stage.runtime.keyRing, 'test', CLAIM, 'c-late');
  expect(opened).toMatchObject([{}, { value: { payment_link_id } }]);
  stage.advance(-2 * DAY_MS);
});

test('a link that stands for one thing answers its open payment, never a second', async () => {
  const payments_expire_at = ahead(3 * DAY_MS);
  const { link_code } = await newLink({ is_for_one_thing: true, payments_expire_at });
  const answers = await Promise.all(Array.from({ length: 20 }, () => pay(link_code)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array<number>(19).fill(200), 201]);
  expect(new Set(answers.map(({ json }) => json.payment_id)).size).toBe(1);
  expect(answers[0]?.json.expires_at).toBe(payments_expire_at);
  await fate.expire(answers[0]?.json);
  await stage.settle();
  const next = await pay(link_code);
  expect([next.status, next.json.code]).toEqual([201, undefined]);
  await fate.confirm(next.json);
  await stage.settle();
  expect((await pay(link_code)).json.code).toBe('payment_link_exhausted');
});

test('a link that its owner closes makes no payment; those that it has made go on', async () => {
  const { calls } = stage.runtime;
  const { payment_link_id, link_code } = await newLink();
  const begun = await pay(link_code);
  const close = (merchant_id: string) =>
    calls.ask(closePaymentLink, { payment_link_id, merchant_id }, asking());
  expect(await close('m2')).toMatchObject({ ok: false, refusal: 'payment_link_not_found' });
  const closed = { ok: true, value: { payment_link_id, may_be_paid: true } };
  expect([await close('m1'), await close('m1')]).toEqual([closed, closed]);
  const { status, json } = await pay(link_code);
  expect([status, json.code]).toEqual([410, 'payment_link_closed']);
  const link = await stage.send('GET', `/api/v1/payment-links/${link_code}`, stage.caller());
  expect(link.json).toMatchObject({ status: 'closed', is_active: false, uses_count: 1 });
  await fate.confirm(begun.json);
  await stage.settle();
  const id = begun.json.payment_id as string;
  const paid = await stage.send('GET', `/api/v1/payments/${id}/checkout-data`, stage.caller());
  expect(paid.json.status).toBe('confirmed');
});

test('what is closed says whether it is paid or may be yet, by what its payment is now', async () => {
  const { calls } = stage.runtime;
  const close = async ({ payment_link_id }: { payment_link_id: string }) => {
    const which = { payment_link_id, merchant_id: 'm1' };
    const closed = await calls.ask(closePaymentLink, which, asking(`c-close-${payment_link_id}`));
    return closed.ok && closed.value.may_be_paid;
  };
  const payments_expire_at = ahead(3 * DAY_MS);
  const open = () => newLink({ is_for_one_thing: true, payments_expire_at });
  const [unused, expiring, paid] = [await open(), await open(), await open()];
  const [first, second] = [await pay(expiring.link_code), await pay(paid.link_code)];
  const closed = [await close(unused), await close(expiring), await close(paid)];
  expect(closed).toEqual([false, true, true]);
  await stage.settle();
  // The link hears of no end until its process leads again.
  await stage.stepDown();
  const { payment_id, expires_at, merchant_id } = first.json;
  const watermark = new Date(Date.parse(expires_at as string) + 400).toISOString();
  const command = { type: 'ExpirePayment', watermark } as const;
  await payment.handle(stage.runtime, 'test', payment_id, command, {
    ...{ command_id: `c-expire-${payment_id}`, body_hash: null, merchant_id, actor: 'system:test' },
    ...{ correlation_id: 'corr', causation_id: null },
  });
  expect(await close(expiring)).toBe(false);
  await stage.leadAgain();
  await fate.confirm(second.json);
  await stage.settle();
  expect([await close(expiring), await close(paid)]).toEqual([false, true]);
});
