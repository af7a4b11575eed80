import { invoiceSent, sealedText } from '@tender/contracts';
import { ListWebhooksHttp } from './list-deliveries/list-webhooks.http';
import { ListEventsHttp } from './list-events/list-events.http';
import { Dispatcher, replyDouble } from './testing/dispatcher';
import { Receiver } from './testing/receiver';

let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  dispatcher = await Dispatcher.start();
});
afterAll(async () => {
  await dispatcher?.stop();
  await receiver?.stop();
  await Dispatcher.stopServer();
});

const EMAIL = 'ada"@example.com';

test('personal data is sent and shown, kept sealed, and null once its subject is erased', async () => {
  let is_erased = false;
  const openPersonal = async (subject_id: string, sealed: string) => {
    expect([subject_id, sealed]).toEqual(['customer-1', 'c2VhbGVk']);
    return is_erased ? null : EMAIL;
  };
  Object.assign(dispatcher.runtime, { keyRing: { ...dispatcher.runtime.keyRing, openPersonal } });
  await dispatcher.configure('m1', receiver.url);
  const invoice = {
    ...{ invoice_id: 'inv_test_1', merchant_id: 'm1', invoice_number: 'INV-2026-000001' },
    ...{ customer_email: sealedText('customer-1', 'c2VhbGVk'), customer_name: null },
    ...{ amount_usd: 1, token: 'USDC', status: 'sent', payment_url: 'http://pay.test/l/t' },
  };
  await dispatcher.plan({
    ...dispatcher.paymentEvent('m1', 'inv_test_1'),
    ...{ type: invoiceSent.type, data: { invoice } },
  });
  await dispatcher.sender.idle();
  expect(JSON.parse(receiver.received[0]?.body ?? '').invoice).toEqual({ ...invoice, customer_email: EMAIL });

  const kept = await dispatcher.runtime.readModels.query<{ body: string }>(
    'select body from webhook_dispatcher.merchant_events',
  );
  expect(kept).toHaveLength(1);
  expect(kept[0]?.body).not.toContain('example.com');

  const { reply } = replyDouble();
  const caller = dispatcher.caller('m1');
  const shown = async () => {
    const [record] = await new ListWebhooksHttp(dispatcher.runtime).list(caller, {}, reply);
    const events = await new ListEventsHttp(dispatcher.runtime).list(caller, {}, reply);
    const { invoice: in_record } = record?.payload as { invoice: typeof invoice };
    return [in_record.customer_email, JSON.parse(events).data[0].event.invoice.customer_email];
  };
  expect(await shown()).toEqual([EMAIL, EMAIL]);
  is_erased = true;
  expect(await shown()).toEqual([null, null]);
});
