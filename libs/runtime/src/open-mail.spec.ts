import { fixedClock } from '@tender/adapter-memory';
import { Unavailable } from '@tender/eventing';
import { sampleMail } from '@tender/eventing/testing';
import type { Closer } from './open-tables';
import { openMail } from './open-mail';

const closers: Closer[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test('an inbox takes mails and shows them', async () => {
  const mail = await openMail('inbox', fixedClock(), closers);
  expect(await mail.send(sampleMail())).toEqual({ taken: true });
  expect(mail.inbox?.list()).toMatchObject([sampleMail()]);
});

test('without a server and an inbox no mail is lost: it waits', async () => {
  const mail = await openMail('waits', fixedClock(), closers);
  await expect(mail.send(sampleMail())).rejects.toEqual(
    new Unavailable('the mail server', { reason: 'SMTP_URL is not set' }),
  );
});

test('with a server, mails go there', async () => {
  const server = { host: '127.0.0.1', port: 9, secure: false, require_tls: false, login: null };
  const mail = await openMail({ ...server, from: 'no-reply@pay.example' }, fixedClock(), closers);
  expect(mail.inbox).toBeNull();
  await expect(mail.send(sampleMail())).rejects.toThrow('ECONNREFUSED');
});
