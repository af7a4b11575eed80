import { createHmac } from 'node:crypto';
import { envelopeOf } from '@tender/contracts';
import { ARRIVED } from './forward';
import { linesOf, shownDelivery } from './show-delivery';

const WALL = Date.parse('2030-01-31T12:34:56.789Z');
const SECRET = 'whsec_one';

function received(event: string, content: object, changes: object = {}) {
  const head = { id: 'evt_1', event, resource_version: 1, timestamp: '2030-01-31T12:00:00.000Z' };
  const body = Buffer.from(JSON.stringify(envelopeOf(head, content)));
  const t = Math.floor(WALL / 1000);
  const v1 = createHmac('sha256', SECRET).update(`${t}.`).update(body).digest('hex');
  const headers = {
    'x-svc-signature': `t=${t},v1=${v1}`,
    'x-svc-event': event,
    'x-svc-delivery': 'wh_1',
    'x-svc-attempt': '2',
  };
  return { headers, body, answer: ARRIVED, ...changes };
}
const payment = { id: 'pay_1' };
const shown = (event: string, content: object, changes: object = {}) =>
  shownDelivery(received(event, content, changes), SECRET, WALL);

test('a delivery is shown with its event, object, attempt and signature', () => {
  expect(shown('PaymentCreated', { payment })).toEqual({
    time: '2030-01-31T12:34:56.789Z',
    event: 'PaymentCreated',
    object: 'pay_1',
    delivery: 'wh_1',
    attempt: 2,
    signature: 'ok',
    answered: 200,
    fault: null,
    body: expect.objectContaining({ id: 'evt_1', payment }),
  });
});

test.each([
  ['SettlementCompleted', { payment, settlement: { id: 'set_1' } }, 'set_1'],
  ['FraudFlagRaised', { payment: null, fraud: { payment_id: 'pay_1' } }, 'pay_1'],
  ['PaymentLinkUsed', { data: { link_code: 't1', payment_link_id: 'link_1', payment_id: 'pay_1' } }, 'link_1'],
  ['SubscriptionRenewed', { subscription: { id: 'sub_1' } }, 'sub_1'],
  ['WebhookTest', {}, null],
])('the object of %s is the one that it is named after', (event, content, id) => {
  expect(shown(event, content).object).toBe(id);
});

test.each([
  ['another body', { body: Buffer.from('{}') }, 'The signature does not match.'],
  ['no signature', { headers: {} }, 'There is no X-Svc-Signature.'],
])('of %s it says so', (_, changes, said) => {
  expect(shown('PaymentCreated', { payment }, changes).signature).toBe(said);
});

test('a line for a person, and the body below it where it is asked for', () => {
  const one = shown('PaymentCreated', { payment });
  const line = '12:34:56  PaymentCreated  pay_1  wh_1 attempt 2  signature: ok';
  expect(linesOf(one, { forwards: false, verbose: false })).toEqual([line]);
  expect(linesOf(one, { forwards: true, verbose: true }).slice(0, 3)).toEqual([
    `${line}  target answered 200`,
    '{',
    '  "id": "evt_1",',
  ]);
  const down = { ...one, answered: 502, fault: 'ECONNREFUSED' };
  expect(linesOf(down, { forwards: true, verbose: false })[0]).toContain(
    'target: ECONNREFUSED; answered 502, so that Tender tries again',
  );
});

test('what is sent by others than Tender does nothing to the terminal', () => {
  const body = Buffer.from('\u001b[2J\nno \u009b JSON');
  const headers = { 'x-svc-event': 'a\u001b]0;b' };
  const lines = linesOf(shown('', {}, { headers, body }), { forwards: false, verbose: true });
  expect(lines).toEqual([
    '12:34:56  a\ufffd]0;b  -  - attempt -  signature: There is no X-Svc-Signature.',
    '\ufffd[2J',
    'no \ufffd JSON',
  ]);
});
