import { mailConformance, sampleMail } from '@tender/eventing/testing';
import { fixedClock, memoryInbox } from './index';

mailConformance('an inbox in memory', async () => {
  const mail = memoryInbox(fixedClock());
  return {
    mail,
    arrived: async () =>
      mail.inbox
        .list()
        .map((one) => ({ ...one, recipients: [one.to.address] }))
        .reverse(),
    close: async () => undefined,
  };
});

test('the inbox lists the newest first, by mode, merchant and recipient', async () => {
  const { inbox, send } = memoryInbox(fixedClock(0));
  await send(sampleMail({ id: 'a' }));
  await send(sampleMail({ id: 'b', mode: 'live' }));
  await send(sampleMail({ id: 'c', merchant_id: 'm-2' }));
  await send(sampleMail({ id: 'd', to: { name: '', address: 'Bola@Example.com' } }));
  const ids = (filter?: Parameters<typeof inbox.list>[0]) => inbox.list(filter).map(({ id }) => id);
  expect(ids()).toEqual(['d', 'c', 'b', 'a']);
  expect(ids({ mode: 'live' })).toEqual(['b']);
  expect(ids({ mode: 'test', merchant_id: 'm-1' })).toEqual(['d', 'a']);
  expect(ids({ to: ' bola@example.COM' })).toEqual(['d']);
  expect(inbox.list()[0]?.sent_at).toBe('1970-01-01T00:00:00.000Z');
});

test('the inbox keeps the newest within its bounds', async () => {
  const few = memoryInbox(fixedClock(), { mails_max: 2 });
  for (const id of ['a', 'b', 'c']) await few.send(sampleMail({ id }));
  expect(few.inbox.list().map(({ id }) => id)).toEqual(['c', 'b']);

  const short = memoryInbox(fixedClock(), { characters_max: 1_000 });
  for (const id of ['a', 'b', 'c']) await short.send(sampleMail({ id, text: 't'.repeat(400) }));
  expect(short.inbox.list().map(({ id }) => id)).toEqual(['c', 'b']);
});
