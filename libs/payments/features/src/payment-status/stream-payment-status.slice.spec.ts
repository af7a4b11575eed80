import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { StreamName } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { Agent, request } from 'undici';
import { payment } from '../payment-details/payment.aggregate';
import { paymentsStage } from '../testing/payments-stage';
import { PaymentStatuses } from './payment-statuses';

const MERCHANT = { merchant_id: 'm1', merchant_name: 'Shop', wallet: 'W1' };

let stage: ContextStage;
let url: string;
let clients: Agent;

beforeAll(async () => {
  stage = await paymentsStage();
  await stage.app.listen(0, '127.0.0.1');
  url = await stage.app.getUrl();
});
beforeEach(() => (clients = new Agent()));
afterEach(() => clients.destroy());
afterAll(() => stage?.close());

const newPayment = async (): Promise<string> =>
  (await stage.send('POST', '/api/v1/payments', stage.caller(MERCHANT), { amount: 10 })).json.id;
const confirm = (id: string) =>
  stage.say(`watch.test-${id}` as StreamName, 'chain-indexer.credit-allocated.v1', {
    ...{ payment_id: id, merchant_id: 'm1', token: 'USDC', token_mint: 'MintUsdc' },
    ...{ amount: '10000000', transaction_signature: `S-${id}`, from_wallet: 'C1' },
    block_time: new Date(stage.runtime.clock.now()).toISOString(),
  });
const listen = (id: string, last_event_id?: string) =>
  request(`${url}/api/v1/payments/${id}/status/stream`, {
    dispatcher: clients,
    headers: { 'x-caller': JSON.stringify(stage.caller({ ...(last_event_id && { last_event_id }) })) },
  });
const said = async (body: Readable): Promise<string> => String((await once(body, 'data'))[0]);
/** What a body that is being read still has to say. */
async function restOf(body: Readable): Promise<string> {
  let text = '';
  body.on('data', (chunk: Buffer) => (text += String(chunk)));
  await once(body, 'end');
  return text;
}
const event = (id: string, revision: number, answer: object) =>
  `event: status\nid: ${revision}\ndata: ${JSON.stringify({ id, ...answer })}\n\n`;
const pending = { status: 'pending', transaction_signature: null };

test('the status of now comes at once, the last one when the log has it, and then the end', async () => {
  const id = await newPayment();
  const { statusCode, body } = await listen(id);
  expect([statusCode, await said(body)]).toEqual([200, event(id, 0, pending)]);
  const rest = restOf(body);
  await confirm(id);
  const confirmed = { status: 'confirmed', transaction_signature: `S-${id}` };
  expect(await rest).toBe(event(id, 1, confirmed));
});

test('who has heard the last status hears that there is nothing more; who has not hears it once', async () => {
  const id = await newPayment();
  await confirm(id);
  await stage.settle();
  for (const last_event_id of [undefined, '0', 'none of ours']) {
    const { statusCode, body } = await listen(id, last_event_id);
    expect([statusCode, (await body.text()).match(/^id: .*$/gm)]).toEqual([200, ['id: 2']]);
  }
  // Confirmed and settled: for one who listens they are one and the same.
  for (const last_event_id of ['1', '2']) {
    const { statusCode, body } = await listen(id, last_event_id);
    expect([statusCode, await body.text()]).toEqual([204, '']);
  }
});

test('who comes again to a pending payment hears its status again', async () => {
  const id = await newPayment();
  const { body } = await listen(id, '0');
  expect(await said(body)).toBe(event(id, 0, pending));
});

test('there is no stream of what is not there', async () => {
  const { statusCode, body } = await listen(`pay_test_${'3'.repeat(22)}`);
  expect([statusCode, await body.json()]).toMatchObject([404, { code: 'not_found' }]);
});

test('streams that are idle cost no query, and news costs none for each of them', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, newPayment));
  const opened = await Promise.all(
    [...ids, ...ids, ...ids].map(async (id) => {
      const { body } = await listen(id);
      await said(body);
      return body;
    }),
  );
  const { eventStore, readModels } = stage.runtime;
  const loads = jest.spyOn(eventStore, 'load');
  const queries = jest.spyOn(readModels, 'query');
  // Something else goes through the log meanwhile.
  const other = await newPayment();
  const { body } = await listen(other);
  await said(body);
  // Timers look once a second for what is due, whatever happens.
  const asked = queries.mock.calls.filter(([text]) => !text.includes('min(due_at)'));
  expect([loads.mock.calls, asked]).toEqual([[], []]);
  jest.restoreAllMocks();
  const ended = Promise.all(opened.map(restOf));
  await Promise.all(ids.map(confirm));
  expect((await ended).every((text) => text.includes('"confirmed"'))).toBe(true);
});

/** As the process does that leads instead of this one. */
async function confirmElsewhere(id: string): Promise<void> {
  const credit = {
    ...{ token: 'USDC', token_mint: 'MintUsdc', amount: 10_000_000n, from_wallet: 'C1' },
    transaction_signature: `S-${id}`,
    block_time: new Date(stage.runtime.clock.now()).toISOString(),
  };
  const command = { type: 'ConfirmPayment', credit, settlement_id: `set_${id}` } as const;
  const handled = await payment.handle(stage.runtime, 'test', id, command, {
    ...{ command_id: `confirm:${id}`, body_hash: null, merchant_id: 'm1', actor: 'system:elsewhere' },
    ...{ correlation_id: 'elsewhere', causation_id: null },
  });
  expect(handled.ok).toBe(true);
}

test('a replica that steps down, stands by and leads again tells who listens at it all the same', async () => {
  const [before, meanwhile, after] = [await newPayment(), await newPayment(), await newPayment()];
  /** Answers what it says from the second event on. */
  const listenTo = async (id: string): Promise<{ readonly rest: Promise<string> }> => {
    const { body } = await listen(id);
    expect(await said(body)).toBe(event(id, 0, pending));
    return { rest: restOf(body) };
  };
  const confirmed = (id: string) =>
    event(id, 1, { status: 'confirmed', transaction_signature: `S-${id}` });
  const [first, last] = [await listenTo(before), await listenTo(after)];
  await stage.stepDown();
  const second = await listenTo(meanwhile);
  for (const id of [before, meanwhile]) await confirmElsewhere(id);
  expect(await first.rest).toBe(confirmed(before));
  expect(await second.rest).toBe(confirmed(meanwhile));
  await stage.leadAgain();
  await confirm(after);
  expect(await last.rest).toBe(confirmed(after));
});

test('the stream sends nothing more to a client that has left', async () => {
  const id = await newPayment();
  const { body } = await listen(id);
  await said(body);
  const { listeners } = stage.app.get(PaymentStatuses) as unknown as {
    readonly listeners: ReadonlyMap<string, unknown>;
  };
  expect(listeners.has(id)).toBe(true);
  await clients.destroy();
  while (listeners.has(id)) await new Promise(setImmediate);
});
