import { codeIds, newId, payLinkByForm, tellCustomerByForm } from '@tender/contracts';
import { EdgeStage, paymentId } from './testing/edge-stage';

const FORM = 'application/x-www-form-urlencoded';
const LINK = `/l/${newId(codeIds, 'test', Buffer.alloc(16, 7))}`;
const PAYMENT = `/p/${paymentId(1)}`;

const stage = new EdgeStage();
const send = (url: string, payload: string | Buffer, type = FORM) =>
  stage.server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });

test('a form’s route gets its fields as texts, and the caller that the page’s path tells the mode of', async () => {
  const { statusCode, json } = await send(PAYMENT, 'email=ada%40example.com&name=Ada+Lovelace&company=');
  expect(statusCode).toBe(Number(Object.keys(tellCustomerByForm.answers)[0]));
  expect(json().body).toEqual({ email: 'ada@example.com', name: 'Ada Lovelace', company: '' });
  expect(json().caller).toMatchObject({ mode: 'test', actor: 'public', client_address: '127.0.0.1' });
});

test('it takes no JSON, and a route that takes JSON takes no form', async () => {
  const asked = [
    await send(PAYMENT, '{}', 'application/json'),
    await send(PAYMENT, 'a=1', 'multipart/form-data; boundary=x'),
    await send(PAYMENT, 'a=1', 'text/plain'),
    await send(`/api/v1/payments/${paymentId(1)}/customer-info`, 'email=ada%40example.com'),
  ];
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([415, 415, 415, 415]);
  expect(asked[0]?.json().error).toContain(FORM);
});

test.each([
  ['a name twice', 'email=a%40b.co&email=c%40d.co', 400],
  ['control characters', 'name=a%0Ab', 400],
  ['what is no UTF-8', 'name=%ff', 400],
  ['brackets', 'a[b]=1', 400],
  ['more than 64 KiB', `name=${'x'.repeat(66_000)}`, 413],
])('%s is refused before a handler reads it', async (_, body, status) => {
  const calls = stage.calls;
  expect((await send(PAYMENT, body)).statusCode).toBe(status);
  expect(stage.calls).toBe(calls);
});

test('it counts with the route that the page’s script asks: a customer has one budget, however they pay', async () => {
  const form = await send(LINK, '');
  const script = await stage.server.inject({ method: 'POST', url: `/api/v1/payment-links${LINK.slice(2)}/pay` });
  const left = [form, script].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  expect(left[1]).toBe((left[0] as number) - 1);
  for (let at = 0; at < (left[1] as number); at += 1) expect((await send(LINK, '')).statusCode).toBe(303);
  expect((await send(LINK, '')).statusCode).toBe(429);
});

test('a code or an id that is none is not found', async () => {
  const asked = [await send('/l/nothing', ''), await send('/p/x', ''), await send(`/l/${paymentId(1)}`, '')];
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect(payLinkByForm.path).toBe('/l/{link_code}');
});
