import { payByLink } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { done, refuse } from '@tender/kernel';
import { LinkFormHttp } from './link-form.http';

const NOW = Date.parse('2026-03-02T10:00:00.000Z');

/** What the page says where payments answers so to a form that begins a payment. */
async function answered(pay: () => object) {
  const ask = async ({ name }: { name: string }) => (name === payByLink.name ? pay() : null);
  const runtime = { clock: { now: () => NOW }, calls: { ask }, keyRing: {} };
  const said: unknown[] = [];
  const pages = { send: (...[, , , answer]: unknown[]) => said.push(answer) };
  const led = {
    status: () => led,
    header: (_: string, to: string) => (said.push(to), led),
    send: () => led,
  };
  const request = { params: { link_code: 'code' }, headers: {}, query: {}, body: {} };
  const form = new LinkFormHttp(runtime as never, pages as never);
  await form.pay({ mode: 'test', correlation_id: 'c' } as never, request as never, led as never);
  return said[0];
}

test.each<[string, () => object, unknown]>([
  ['begun', () => done({ payment_id: 'pay_1' }), '/p/pay_1'],
  ['used up', () => refuse('payment_link_exhausted'), '/l/code'],
  ['too many of one address', () => refuse('too_many_open_payments', { retry_after: 600 }), {
    status: 429, attempt: null, interruption: { state: 'link full', retry_at: NOW + 600_000 },
  }],
  ['blocked', () => refuse('payment_blocked', { payment_id: 'pay_1' }), {
    status: 402, attempt: null, blocked: true, blocked_payment_id: 'pay_1',
  }],
  ['no answer', () => { throw new Unavailable('fraud'); }, {
    status: 503, attempt: null, interruption: { state: 'busy', retry_at: NOW + 8_000 },
  }],
  ['refused otherwise', () => refuse('amount_too_large'), {
    status: 422, attempt: null, fault: { correlation_id: 'c' },
  }],
])('%s', async (_, pay, answer) => expect(await answered(pay)).toEqual(answer));
