import { ListEventsHttp } from './list-events/list-events.http';
import { ListWebhooksHttp } from './list-deliveries/list-webhooks.http';
import { AttemptsByHand } from './attempts-by-hand/attempts-by-hand';
import { RetryWebhookHttp } from './retry-delivery/retry-webhook.http';
import { LEASE_OWNER_HERE, Dispatcher, replyDouble } from './testing/dispatcher';
import { Receiver } from './testing/receiver';

let dispatcher: Dispatcher;
let receiver: Receiver;

beforeEach(async () => {
  [dispatcher, receiver] = await Promise.all([Dispatcher.start(), Receiver.start()]);
  dispatcher.standStill();
  await dispatcher.configure('m1', receiver.url);
});
afterEach(async () => {
  await dispatcher.stop();
  await receiver.stop();
});
afterAll(() => Dispatcher.stopServer());

const records = () =>
  new ListWebhooksHttp(dispatcher.runtime).list(dispatcher.caller('m1'), {}, replyDouble().reply);
const events = async () => {
  const http = new ListEventsHttp(dispatcher.runtime);
  const text = await http.list(dispatcher.caller('m1'), {}, replyDouble().reply);
  const { data } = JSON.parse(text) as { data: { cursor: string; event: { id: string } }[] };
  return data;
};

/** As the first release wrote them: `evt_` and `wh_` are followed by the same characters, without the mode. */
async function renameToFirstRelease(): Promise<void> {
  const { readModels } = dispatcher.runtime;
  const former = (column: string) => `regexp_replace(${column}, '(evt|wh)_test_', '\\1_')`;
  await readModels.query(
    `update webhook_dispatcher.merchant_events set event_id = ${former('event_id')}, body = ${former('body')}`,
  );
  await readModels.query(
    `update webhook_dispatcher.deliveries set id = ${former('id')}, event_id = ${former('event_id')}`,
  );
  await readModels.query(
    `update webhook_dispatcher.queued_deliveries set delivery_id = ${former('delivery_id')}`,
  );
}

test('a webhook of then is listed and sent again under the id that it has, with the bytes that it had', async () => {
  receiver.answer(503);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  await renameToFirstRelease();
  receiver.answer(204);

  const [record] = await records();
  expect(record?.id).toMatch(/^wh_[0-9A-Za-z]{22}$/);
  const http = new RetryWebhookHttp(dispatcher.runtime, LEASE_OWNER_HERE, new AttemptsByHand());
  const again = await http.retry(dispatcher.caller('m1'), String(record?.id));
  expect(again).toMatchObject({ id: record?.id, status: 'delivered', attempts: 2 });
  expect(receiver.received.at(-1)?.headers['x-svc-delivery']).toBe(record?.id);
  const [logged] = await events();
  expect(logged?.event.id).toMatch(/^evt_[0-9A-Za-z]{22}$/);
  expect(again.payload).toEqual(logged?.event);
});

test('an event that the first release planned and the bus delivers again is neither sent nor logged again', async () => {
  const [before, after] = ['a', 'b'].map((payment) => dispatcher.paymentEvent('m1', payment));
  await dispatcher.plan(before as never);
  await dispatcher.sender.idle();
  await renameToFirstRelease();
  const known = await events();

  await dispatcher.plan(before as never, after as never, before as never);
  await dispatcher.plan(after as never);
  await dispatcher.sender.idle();
  const now = await events();
  expect(now.slice(0, 1)).toEqual(known);
  expect(now.map(({ cursor }) => cursor)).toEqual(['1', '2']);
  expect(now[1]?.event.id).toMatch(/^evt_test_[0-9A-Za-z]{22}$/);
  const deliveries = (await records()).map(({ id }) => id).sort();
  expect(deliveries).toEqual([
    expect.stringMatching(/^wh_[0-9A-Za-z]{22}$/),
    expect.stringMatching(/^wh_test_[0-9A-Za-z]{22}$/),
  ]);
  expect(receiver.received).toHaveLength(2);
});

test('ids of live events say live', async () => {
  await dispatcher.configure('m1', receiver.url, 'live');
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_live_1', { mode: 'live' }));
  await dispatcher.sender.idle();
  const [sent] = receiver.received;
  expect(sent?.headers['x-svc-delivery']).toMatch(/^wh_live_/);
  expect(JSON.parse(String(sent?.body)).id).toMatch(/^evt_live_/);
});
