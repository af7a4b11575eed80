import type { merchantRegistered } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import type { Heard } from '@tender/http';
import { ConfigureOnRegistration } from './configure-endpoint/configure-on-registration.reactor';
import { readEndpoint } from './endpoint-view/endpoint-row';
import { readMerchantEvents } from './list-events/merchant-events';
import { Dispatcher } from './testing/dispatcher';

let dispatcher: Dispatcher;
beforeEach(async () => {
  dispatcher = await Dispatcher.start();
});
afterEach(() => dispatcher.stop());
afterAll(() => Dispatcher.stopServer());

const registered = (
  merchant_id: string,
  webhook_url: string | null,
): Heard<typeof merchantRegistered> => ({
  ...dispatcher.paymentEvent(merchant_id, 'none'),
  type: 'accounts.merchant-registered.v1',
  mode: 'all',
  data: { merchant_id, wallet_address: null, webhook_url, created_at: '2026-01-01T00:00:00.000Z' },
});

const endpoint = async (merchant_id: string, mode: 'test' | 'live') => {
  const { readModels } = dispatcher.runtime;
  for (;;) {
    const found = await readEndpoint(readModels, { mode, merchant_id });
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const cursorsOf = async (merchant_id: string) => {
  const wish = { mode: 'test', merchant_id, after: null, types: null, limit: 100_000 } as const;
  const rows = await readMerchantEvents(dispatcher.runtime.readModels, wish);
  return rows.map(({ cursor }) => Number(cursor));
};

test('the webhook URL of sign-up counts in both modes, with a secret of its own in each', async () => {
  const event = registered('m1', 'https://shop.example.com/hook');
  const reactor = new ConfigureOnRegistration(dispatcher.runtime);
  await reactor.react([event, registered('m2', null)]);
  await reactor.react([event]);
  const [test, live] = [await endpoint('m1', 'test'), await endpoint('m1', 'live')];
  expect([test?.url, live?.url]).toEqual(Array(2).fill('https://shop.example.com/hook'));
  const opened = [test, live].map((one) => String(one?.secret).split('|').at(-1));
  expect(opened[0]).not.toBe(opened[1]);
  expect(await endpoint('m2', 'test')).toMatchObject({ url: null, configured: true });
  expect(await dispatcher.runtime.eventStore.load('endpoint.test-m1')).toHaveLength(1);
});

test('a merchant’s first payment waits until the planner has heard of the merchant', async () => {
  const payment = dispatcher.paymentEvent('m1', 'pay_test_1');
  await expect(dispatcher.plan(payment)).rejects.toThrow(Unavailable);
  expect(await cursorsOf('m1')).toEqual([]);
  await dispatcher.configure('m1', null);
  await dispatcher.plan(payment);
  expect(await cursorsOf('m1')).toEqual([1]);
});

test('numbers rise by one per merchant and per resource, in the order of the batch', async () => {
  await dispatcher.configure('m1', null);
  await dispatcher.configure('m2', null);
  const batch = ['m1:a', 'm2:b', 'm1:a', 'm1:c', 'm2:b'].map((text) => {
    const [merchant_id = '', payment_id = ''] = text.split(':');
    return dispatcher.paymentEvent(merchant_id, payment_id);
  });
  await dispatcher.plan(...batch);
  await dispatcher.plan(...batch, dispatcher.paymentEvent('m1', 'a'));
  const versions = async (merchant_id: string) => {
    const wish = { mode: 'test', merchant_id, after: null, types: null, limit: 100 } as const;
    const rows = await readMerchantEvents(dispatcher.runtime.readModels, wish);
    return rows.map(({ cursor, body }) => {
      const { payment, resource_version } = JSON.parse(body);
      return `${cursor}:${payment.id}${resource_version}`;
    });
  };
  expect(await versions('m1')).toEqual(['1:a1', '2:a2', '3:c1', '4:a3']);
  expect(await versions('m2')).toEqual(['1:b1', '2:b2']);
});

test('a reader of the event log skips nothing while 16 planners write', async () => {
  await dispatcher.configure('m1', null);
  const { readModels } = dispatcher.runtime;
  const writes_each = 15;
  let writing = 16;
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let write = 0; write < writes_each; write += 1) {
      await dispatcher.plan(
        dispatcher.paymentEvent('m1', `pay_${writer}_${write}`),
        dispatcher.paymentEvent('m1', `pay_${writer}_shared`),
      );
    }
    writing -= 1;
  });
  const seen: number[] = [];
  const read = async () => {
    const after = String(seen.at(-1) ?? 0);
    const wish = { mode: 'test', merchant_id: 'm1', after, types: null, limit: 7 } as const;
    const rows = await readMerchantEvents(readModels, wish);
    seen.push(...rows.map(({ cursor }) => Number(cursor)));
    return rows.length;
  };
  while (writing > 0) await read();
  await Promise.all(writers);
  while ((await read()) > 0);
  expect(seen).toEqual(Array.from({ length: 16 * writes_each * 2 }, (_, index) => index + 1));
});
