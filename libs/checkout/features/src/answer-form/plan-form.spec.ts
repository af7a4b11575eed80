import { createHash } from 'node:crypto';
import { payPeriod, subscribeToPlan, type CreateSubscriptionBody, type RequestContext } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { done, refuse } from '@tender/kernel';
import { PlanFormHttp } from './plan-form.http';

const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const PLAN = 'plan_test_2G07CmNoapiczVxS8gXbNH';
const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const ATTEMPT = 'a'.repeat(32);
const caller = { mode: 'test', correlation_id: 'c', command_id: 'fresh', id_seed: 'fresh', body_hash: 'h' };

interface Asked {
  readonly name: string;
  readonly caller: RequestContext;
  readonly wanted: CreateSubscriptionBody;
}

interface More {
  readonly headers?: object;
  readonly subscription_id?: string;
}

/** What the page says, or where it leads, where billing answers so to a form; and what billing was asked. */
async function answered(body: object, answer: () => object, more: More = {}) {
  const asked: Asked[] = [];
  const ask = async ({ name }: { name: string }, input: Asked) => {
    if (name !== subscribeToPlan.name && name !== payPeriod.name) return { kind: 'plan' };
    asked.push({ ...input, name });
    return answer();
  };
  const idBytes = (text: string) => createHash('sha256').update(text).digest();
  const runtime = { clock: { now: () => NOW }, calls: { ask }, keyRing: { idBytes } };
  const said: unknown[] = [];
  const pages = { send: (...[, , , page]: unknown[]) => said.push(page) };
  const led = {
    ...{ status: () => led, send: () => led },
    header: (_: string, to: string) => (said.push(to), led),
  };
  const { headers = {}, subscription_id } = more;
  const params = { plan_id: PLAN, ...(subscription_id ? { subscription_id } : {}) };
  const request = { params, headers, query: { lang: 'fr' }, body };
  const form = new PlanFormHttp(runtime as never, pages as never);
  const sent = subscription_id ? form.pay : form.subscribe;
  await sent.call(form, caller as never, request as never, led as never);
  return { said: said[0], asked };
}

const typed = { customer_wallet: ` ${WALLET} `, customer_email: '', attempt: ATTEMPT };
const kept = { typed: { customer_wallet: ` ${WALLET} `, attempt: ATTEMPT }, attempt: ATTEMPT };
const made = () => done({ subscription_id: 'sub_1' });

test.each<[string, () => object, unknown]>([
  ['subscribed', made, `/s/${PLAN}/sub_1?lang=fr`],
  ['archived meanwhile', () => refuse('plan_inactive'), `/s/${PLAN}?lang=fr`],
  ['the wallet of the shop is still being made', () => refuse('wallet_not_ready'), {
    ...kept, status: 503, interruption: { state: 'busy', retry_at: NOW + 8_000 },
  }],
  ['no answer', () => { throw new Unavailable('billing'); }, {
    ...kept, status: 503, interruption: { state: 'busy', retry_at: NOW + 8_000 },
  }],
  ['refused otherwise', () => refuse('validation_failed'), { ...kept, status: 422, fault: { correlation_id: 'c' } }],
])('%s', async (_, answer, page) => expect((await answered(typed, answer)).said).toEqual(page));

test('billing is asked for what was typed, in the language of the page', async () => {
  const { asked } = await answered({ ...typed, customer_email: 'ada@example.com', customer_name: 'Ada' }, made);
  expect(asked[0]?.wanted).toEqual({
    ...{ plan_id: PLAN, customer_wallet: WALLET, locale: 'fr' },
    ...{ customer_email: 'ada@example.com', customer_name: 'Ada' },
  });
  const alone = await answered({ ...typed, customer_name: 'Ada' }, made);
  expect(alone.asked[0]?.wanted).toEqual({ plan_id: PLAN, customer_wallet: WALLET, locale: 'fr' });
});

test.each<[string, object, string[]]>([
  ['no wallet', {}, ['customer_wallet']],
  ['what is no wallet', { customer_wallet: 'x' }, ['customer_wallet']],
  ['what is no e-mail', { customer_wallet: WALLET, customer_email: 'ada' }, ['customer_email']],
])('%s is said beside its field, and billing is not asked', async (_, body, malformed) => {
  const { said, asked } = await answered(body, made);
  expect(said).toMatchObject({ status: 400, malformed, typed: body });
  expect(asked).toEqual([]);
});

test('one attempt is one subscription of a wallet, whatever else is typed the second time', async () => {
  const idsOf = async (body: object) => {
    const { asked } = await answered(body, made);
    const { command_id, id_seed, body_hash } = asked[0]?.caller as RequestContext;
    return [command_id, id_seed, body_hash].join();
  };
  const other = 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd';
  const first = await idsOf(typed);
  expect(await idsOf({ ...typed, customer_email: 'ada@example.com' })).toBe(first);
  expect(await idsOf({ ...typed, customer_wallet: other })).not.toBe(first);
  expect(await idsOf({ ...typed, attempt: 'b'.repeat(32) })).not.toBe(first);
  expect(await idsOf({ ...typed, attempt: '' })).toBe('fresh,fresh,h');
});

describe('the payment of a period', () => {
  const subscription_id = 'sub_test_11R0lrQrMbc1ysgvDodOvI';
  const page = `/s/${PLAN}/${subscription_id}?lang=fr`;

  test.each<[string, () => object, unknown]>([
    ['begun', () => done({ payment_id: 'pay_1' }), '/p/pay_1?lang=fr'],
    ['paid by now', () => refuse('payment_not_due'), page],
    ['cancelled', () => refuse('subscription_already_cancelled'), page],
    ['blocked', () => refuse('payment_blocked', { payment_id: 'pay_1' }), {
      status: 402, blocked: true, blocked_payment_id: 'pay_1',
    }],
    ['more than the shop may take', () => refuse('amount_too_large'), { status: 422, fault: { correlation_id: 'c' } }],
    ['no answer', () => { throw new Unavailable('payments'); }, {
      status: 503, interruption: { state: 'busy', retry_at: NOW + 8_000 },
    }],
  ])('%s', async (_, answer, said) =>
    expect((await answered({}, answer, { subscription_id })).said).toEqual(said));
});

test.each([undefined, 'sub_test_11R0lrQrMbc1ysgvDodOvI'])('a form of another site does nothing: %s', async (subscription_id) => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const more = { headers, ...(subscription_id ? { subscription_id } : {}) };
  const { said, asked } = await answered(typed, made, more);
  expect([said, asked]).toEqual([`/s/${PLAN}${subscription_id ? `/${subscription_id}` : ''}?lang=fr`, []]);
});
