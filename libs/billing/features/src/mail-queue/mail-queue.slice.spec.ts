import { startMailServer } from '@tender/adapter-smtp/testing';
import { eraseSubjectKey } from '@tender/adapter-postgres';
import type { FileKeyRing } from '@tender/adapter-system';
import type { Mail, OutgoingMail } from '@tender/eventing';
import { recordedTelemetry } from '@tender/eventing/testing';
import { MAILS_KEPT_MS, MailSender, queueMails, RETRY_WAITS_MS } from '@tender/mail';
import { describeMail } from '../mails/describe-mail';
import { ADA, mailStage, mailThrough, type MailStageChanges } from '../testing/mail-stage';
import { MAILS } from './queue-mails.reactor';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(...options: Parameters<typeof startMailServer>) {
  const server = await startMailServer(...options);
  closers.push(() => server.stop());
  return server;
}

/** Billing with a server of mail, or another way to people’s mailboxes. */
async function open(mail: Mail & { close?(): void }, changes: MailStageChanges = {}) {
  const stage = await mailStage(mail, changes);
  closers.push(
    () => mail.close?.(),
    () => stage.close(),
  );
  return stage;
}

test('an event becomes a mail: who sends, in whose name, how to answer, in its language', async () => {
  const server = await serve();
  const stage = await open(mailThrough(server));
  await stage.lives('invoice', 'InvoiceSent', { locale: 'fr' });
  await stage.settle();
  const [mail, ...more] = server.delivered;
  expect([mail, more]).toMatchObject([
    {
      encrypted: true,
      recipients: [ADA.email],
      to: { name: ADA.name, address: ADA.email },
      from_name: 'ỌJÀ Fabrics via Tender',
      reply_to: { name: 'ỌJÀ Fabrics', address: 'help@oja.example' },
      subject: 'Facture INV-2026-000107 de ỌJÀ Fabrics',
    },
    [],
  ]);
  expect(mail?.text).toContain('ỌJÀ Fabrics vous envoie ce message par Tender.');
  expect(mail?.text).toContain('Vous le recevez car ỌJÀ Fabrics vous a adressé une facture.');
  expect(mail?.text).toContain('http://localhost:8080/l/t0000000000000000000042');
  expect(server.logins.length).toBeGreaterThan(0);
  expect(await stage.rows()).toEqual([{ status: 'sent', attempts: 1, detail: null }]);
});

test('each kind of object makes its mails, and each event one', async () => {
  const server = await serve();
  const stage = await open(mailThrough(server));
  await stage.lives('invoice', 'InvoiceReminded', { locale: 'en' });
  await stage.lives('installment-plan', 'InstallmentPaymentBegun');
  await stage.lives('subscription', 'SubscriptionPaymentFailed');
  await stage.settle();
  expect(server.delivered.map(({ subject }) => subject).toSorted()).toEqual([
    'Installment 1 of 2 to ỌJÀ Fabrics',
    'Installment 1 of 2 to ỌJÀ Fabrics is due on 11 January 2026',
    'Invoice INV-2026-000107 from ỌJÀ Fabrics',
    'No payment for Gold at ỌJÀ Fabrics',
    'Reminder: invoice INV-2026-000107 from ỌJÀ Fabrics',
    'Your payment for Gold at ỌJÀ Fabrics',
  ]);
  // It was due without a link: its customer hears of it once the link is there.
  const statuses = (await stage.rows()).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'not_needed')).toHaveLength(1);
});

test('a server that is down for a day of business time: nothing is lost, and nothing comes twice', async () => {
  const server = await startMailServer();
  await server.stop();
  const stage = await open(mailThrough(server));
  for (let mail = 0; mail < 5; mail += 1) await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  for (let hour = 0; hour < 24; hour += 1) {
    stage.advance(HOUR_MS);
    await stage.settle();
  }
  const waiting = await stage.rows();
  expect(waiting).toHaveLength(5);
  expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['queued']));
  expect(waiting[0]?.detail).toContain('ECONNREFUSED');
  const back = await serve({}, server.port);
  stage.advance(DAY_MS);
  await stage.settle();
  expect(back.delivered).toHaveLength(5);
  expect(new Set((await stage.rows()).map(({ status }) => status))).toEqual(new Set(['sent']));
});

test('a server that was down for a day: what is paid meanwhile is asked for by no mail', async () => {
  const server = await startMailServer();
  await server.stop();
  const stage = await open(mailThrough(server));
  await stage.lives('invoice', 'InvoicePaid');
  await stage.lives('invoice', 'InvoiceOverdue');
  await stage.settle();
  const back = await serve({}, server.port);
  stage.advance(DAY_MS);
  await stage.settle();
  expect(back.delivered).toHaveLength(2);
  const statuses = (await stage.rows()).map(({ status }) => status).toSorted();
  expect(statuses).toEqual(['not_owed', 'not_owed', 'sent', 'sent']);
});

test('a server that drops the connection after DATA: the repeat is the same mail', async () => {
  const server = await serve();
  server.judgeBy(() => 'drop');
  const stage = await open(mailThrough(server));
  await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  expect(await stage.rows()).toMatchObject([{ status: 'queued', attempts: 1 }]);
  server.judgeBy(() => null);
  stage.advance(2 * 60_000);
  await stage.settle();
  const [first, second, ...more] = server.delivered;
  expect(more).toEqual([]);
  expect(second?.message_id).toBe(first?.message_id);
  expect(second?.text).toBe(first?.text);
  stage.advance(DAY_MS);
  await stage.settle();
  expect(server.delivered).toHaveLength(2);
});

test('a slow server: its mail ends at a deadline and is sent later; no request waits for it meanwhile', async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let is_slow = true;
  const server = await serve({
    onMailFrom(_, __, done) {
      asked.resolve();
      if (is_slow) void held.promise.then(() => done());
      else done();
    },
  });
  closers.push(() => held.resolve());
  const stage = await open(mailThrough(server, { command_ms: 2_000 }));
  await stage.lives('invoice', 'InvoiceSent');
  await asked.promise;
  const gold = { name: 'Gold', amount: 1, billing_interval: 'monthly' };
  const caller = stage.caller({ merchant_id: 'm1', actor: 'key:k1' });
  const { status } = await stage.send('POST', '/api/v1/subscription-plans', caller, gold);
  expect([status, server.delivered]).toEqual([201, []]);
  await stage.settle();
  is_slow = false;
  // On a busy machine the deadline may come first once more.
  while (server.delivered.length === 0) {
    stage.advance(HOUR_MS);
    await stage.settle();
  }
  expect(server.delivered).toHaveLength(1);
});

test('a process that dies between a mail and its record: the next one sends it again, once', async () => {
  const server = await serve();
  const mail = mailThrough(server);
  const stage = await open(mail);
  await stage.stepDown();
  const { readModels } = stage.runtime;
  const before = (await stage.lives('invoice', 'InvoiceSent')).stream;
  const sent = (await stage.runtime.eventStore.load(before)).at(-1);
  const mail_of_it = {
    ...{ event_id: sent?.metadata.id ?? '', stream: before, mode: 'test' as const },
    ...{ merchant_id: 'm1', correlation_id: 'c' },
  };
  await queueMails(readModels, MAILS, [mail_of_it], stage.runtime.clock.now());

  // What it does from the moment on at which it dies never happens.
  const dying = Promise.withResolvers<void>();
  const dies = {
    ...readModels,
    query(text: string, values?: readonly unknown[]) {
      if (!text.includes('ended.status')) return readModels.query(text, values as never);
      dying.resolve();
      return new Promise(() => undefined);
    },
  } as unknown as typeof readModels;
  const owner = `${(await import('node:os')).hostname()}|${2 ** 22 + 1}|of a process that is gone`;
  const killed = new MailSender(
    { ...stage.runtime, readModels: dies },
    MAILS,
    (queued) => describeMail(stage.runtime, queued),
    owner,
  );
  await killed.start();
  await dying.promise;
  expect(server.delivered).toHaveLength(1);

  await stage.leadAgain();
  await stage.settle();
  const [first, second, ...more] = server.delivered;
  expect(more).toEqual([]);
  expect(second?.message_id).toBe(first?.message_id);
  await stage.stepDown();
  await stage.leadAgain();
  stage.advance(3 * DAY_MS);
  await stage.settle();
  expect(server.delivered).toHaveLength(2);
});

test('the whole log heard again, as after a restore or a replay, sends nothing', async () => {
  const server = await serve();
  const stage = await open(mailThrough(server));
  await stage.lives('invoice', 'InvoiceReminded');
  await stage.settle();
  expect(server.delivered).toHaveLength(2);
  await stage.stepDown();
  const { readModels } = stage.runtime;
  const forgotten = await readModels.query(
    `delete from billing.checkpoints where follower like 'billing.queue-mails%' returning 1`,
  );
  expect(forgotten.length).toBeGreaterThan(0);
  await stage.leadAgain();
  stage.advance(DAY_MS);
  await stage.settle();
  expect(server.delivered).toHaveLength(2);
});

test('two senders at once send each mail once', async () => {
  const server = await serve();
  const stage = await open(mailThrough(server));
  const other = new MailSender(
    stage.runtime,
    MAILS,
    (queued) => describeMail(stage.runtime, queued),
    'another machine|1|x',
  );
  await other.start();
  for (let mail = 0; mail < 20; mail += 1) await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  await other.idle();
  await other.stop();
  expect(new Set(server.delivered.map(({ message_id }) => message_id)).size).toBe(20);
  expect(server.delivered).toHaveLength(20);
});

test('a customer who was erased is not written to, and the queue has nothing of them', async () => {
  const server = await startMailServer();
  await server.stop();
  const stage = await open(mailThrough(server));
  const { customer } = await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  const { readModels, keyRing } = stage.runtime;
  const [row] = await readModels.query<{ text: string }>('select mails::text as text from billing.mails');
  expect(row?.text).not.toMatch(/ada@|Ad.b.y|customer-/);
  await eraseSubjectKey(readModels, customer?.subject_id ?? '');
  (keyRing as FileKeyRing).forgetSubject(customer?.subject_id ?? '');
  const back = await serve({}, server.port);
  stage.advance(DAY_MS);
  await stage.settle();
  expect(back.delivered).toEqual([]);
  expect(await stage.rows()).toMatchObject([{ status: 'not_needed' }]);
});

test('what strangers write becomes no header, no recipient and no tag', async () => {
  const server = await serve();
  const name = 'Shop\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>';
  const stage = await open(mailThrough(server), { shop: { name, support_email: 'help@oja.example' } });
  const to = { email: ADA.email, name: '"><img src=x>\r\nTo: eve@example.com' };
  await stage.lives('invoice', 'InvoiceSent', { description: '</style><script>1</script>' }, to);
  await stage.settle();
  const [mail] = server.delivered;
  expect(mail?.recipients).toEqual([ADA.email]);
  const [headers] = (mail?.source ?? '').split('\r\n\r\n');
  expect(headers).not.toMatch(/^(Bcc|To: eve)/im);
  expect(mail?.html).not.toMatch(/<script|<img/);
  expect(mail?.html).toContain('&lt;script&gt;1');
});

/** A way to people’s mailboxes that does with each mail what the test says. */
function mailThat(send: (mail: OutgoingMail) => ReturnType<Mail['send']>): Mail {
  return { send, inbox: null };
}

test('what the server refuses for good is not tried again; our own address is the operator’s to mend', async () => {
  const refusals = { 'recipient_refused': 1, 'sender_refused': 2 } as const;
  for (const [refusal, attempts] of Object.entries(refusals)) {
    const sent: string[] = [];
    const stage = await open(
      mailThat(async ({ id }) => {
        sent.push(id);
        return { taken: false, refusal: refusal as keyof typeof refusals, detail: '550 5.1.1' };
      }),
    );
    await stage.lives('invoice', 'InvoiceSent');
    await stage.settle();
    stage.advance(2 * 60_000);
    await stage.settle();
    expect(sent).toHaveLength(attempts);
    const status = attempts === 1 ? 'refused' : 'queued';
    expect(await stage.rows()).toMatchObject([{ status, detail: `${refusal} 550 5.1.1` }]);
  }
});

test('what becomes of each attempt is counted, and how long the oldest mail has been due is watched', async () => {
  const recorded = recordedTelemetry();
  const server = await serve();
  server.judgeBy(() => 'drop');
  const stage = await open(mailThrough(server), { telemetry: recorded.telemetry });
  await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  const oldest = () => recorded.read('tender_mail_oldest_due_seconds');
  expect(await oldest()).toEqual([{ value: 0, labels: { context: 'billing' } }]);
  await stage.stepDown();
  expect(await oldest()).toEqual([]);
  server.judgeBy(() => null);
  await stage.leadAgain();
  await stage.lives('invoice', 'InvoicePaid');
  stage.advance(HOUR_MS);
  await stage.settle();
  const outcomes = recorded.of('tender_mail_attempts_total').map(([labels]) => labels);
  expect(new Set(outcomes.map((one) => JSON.stringify(one)))).toEqual(
    new Set(['failed', 'sent', 'not_owed'].map((outcome) => JSON.stringify({ outcome }))),
  );
});

test('what became of a mail is forgotten after 30 days', async () => {
  const server = await serve();
  const stage = await open(mailThrough(server));
  await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  stage.advance(MAILS_KEPT_MS - HOUR_MS);
  await stage.settle();
  expect(await stage.rows()).toHaveLength(1);
  await stage.stepDown();
  await stage.lives('invoice', 'InvoiceSent');
  stage.advance(2 * HOUR_MS);
  await stage.leadAgain();
  await stage.settle();
  expect(await stage.rows()).toHaveLength(1);
  expect(server.delivered).toHaveLength(2);
});

test('tried for more than a day, and then given up', async () => {
  let tries = 0;
  const stage = await open(
    mailThat(async () => {
      tries += 1;
      throw new Error('a fault of our own');
    }),
  );
  await stage.lives('invoice', 'InvoiceSent');
  await stage.settle();
  for (let next = 0; next < RETRY_WAITS_MS.length + 3; next += 1) {
    stage.advance(DAY_MS * 1.2);
    await stage.settle();
  }
  expect(tries).toBe(RETRY_WAITS_MS.length + 1);
  expect(await stage.rows()).toMatchObject([{ status: 'given_up', attempts: tries }]);
  expect(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(DAY_MS);
});
