import { fixedClock, memoryInbox } from '@tender/adapter-memory';
import { readInbox } from '@tender/contracts';
import { mailStage, mailThrough, type MailStage } from '../testing/mail-stage';
import { startMailServer } from '@tender/adapter-smtp/testing';

const ASKING = { mode: 'test', correlation_id: 'c' } as const;
let stage: MailStage;
afterEach(() => stage?.close());

test('what was mailed is in the inbox, for its merchant alone', async () => {
  stage = await mailStage(memoryInbox(fixedClock()));
  await stage.lives('invoice', 'InvoiceSent', { locale: 'en', merchant_id: 'm1' });
  await stage.lives('subscription', 'SubscriptionChargeOpened', { merchant_id: 'm2' });
  await stage.settle();
  const subjects = async (merchant_id: string | null, to: string | null = null) => {
    const merchant = merchant_id === null ? null : { merchant_id, mode: 'test' as const };
    const { mails } = await stage.runtime.calls.ask(readInbox, { merchant, to }, ASKING);
    return mails?.map(({ subject }) => subject).toSorted();
  };
  const [invoice, charge] = [
    'Invoice INV-2026-000107 from ỌJÀ Fabrics',
    'Your payment for Gold at ỌJÀ Fabrics',
  ];
  expect(await subjects('m1')).toEqual([invoice]);
  expect(await subjects('m2')).toEqual([charge]);
  expect(await subjects(null)).toEqual([invoice, charge]);
  expect(await subjects('m1', 'ADA@example.com')).toEqual([invoice]);
  expect(await subjects('m1', 'eve@example.com')).toEqual([]);
});

test('where mails leave the program there is none', async () => {
  const server = await startMailServer();
  const mail = mailThrough(server);
  stage = await mailStage(mail);
  const question = { merchant: null, to: null };
  expect(await stage.runtime.calls.ask(readInbox, question, ASKING)).toEqual({ mails: null });
  mail.close();
  await server.stop();
});
