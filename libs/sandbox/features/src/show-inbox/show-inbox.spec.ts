import { fixedClock, memoryInbox } from '@tender/adapter-memory';
import { INBOXES, readInbox, type InboxQuestion, type RequestContext } from '@tender/contracts';
import type { Mail, OutgoingMail, Runtime } from '@tender/eventing';
import { sampleMail } from '@tender/eventing/testing';
import type { FastifyReply } from 'fastify';
import { EmailsHttp } from './emails.http';
import { InboxPageHttp } from './inbox-page.http';

const EVIL = '</pre><script>alert(1)</script><img src=x>';

async function inboxWith(...changes: readonly Partial<OutgoingMail>[]) {
  const mail = memoryInbox(fixedClock());
  for (const change of changes) await mail.send(sampleMail(change));
  return mail;
}

/** The page, or what is thrown in its place. */
function pageOf(mail: Mail, id?: string) {
  let sent = '';
  const headers: Record<string, string> = {};
  const reply = {
    headers: (more: object) => (Object.assign(headers, more), reply),
    type: () => reply,
    send: (html: string) => (sent = html),
  };
  const http = new InboxPageHttp({ mail } as Runtime);
  if (id === undefined) http.list(reply as unknown as FastifyReply);
  else http.read(id, reply as unknown as FastifyReply);
  return { html: sent, headers };
}

test('the page lists each mail with a link to it, and says what is there', async () => {
  const mail = await inboxWith({ subject: 'The first' }, { subject: 'The second', id: 'another' });
  const { html, headers } = pageOf(mail);
  expect(html).toContain('2 mails.');
  expect(html.indexOf('The second')).toBeLessThan(html.indexOf('The first'));
  const [link] = html.match(/(?<=href="\/dev\/inbox\/)[0-9a-f]{40}(?=")/) ?? [];
  const shown = pageOf(mail, link);
  expect(shown.html).toBe(mail.inbox.list()[0]?.html);
  for (const policy of [headers, shown.headers].map((one) => one['Content-Security-Policy'])) {
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toContain('script-src');
  }
});

test('an empty inbox says so', async () => {
  expect(pageOf(await inboxWith()).html).toContain('None was sent yet');
});

test('it says that mails are gone when the process ends', async () => {
  expect(pageOf(await inboxWith({})).html).toContain('gone when the process ends');
});

test('what strangers write is no tag of the page', async () => {
  const { html } = pageOf(await inboxWith({ subject: EVIL, text: EVIL, to: { name: EVIL, address: 'a@b.example' } }));
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&lt;script&gt;');
});

test('where mails leave the program there is no page, and no mail of another id', async () => {
  const absent = expect.objectContaining({ status: 404, code: 'not_found' }) as Error;
  expect(() => pageOf({ send: jest.fn(), inbox: null })).toThrow(absent);
  expect(() => pageOf({ send: jest.fn(), inbox: null }, 'x')).toThrow(absent);
  const mail = await inboxWith({});
  expect(() => pageOf(mail, 'x')).toThrow(absent);
});

describe('emails, for programs', () => {
  const KEPT = {
    ...{ id: '<1@x>', to: 'ada@example.com', from_name: 'Shop via Tender', subject: 'S' },
    ...{ text: 'T', html: '<p>T</p>', sent_at: '2026-01-01T00:00:00.000Z' },
  };
  const asked: InboxQuestion[] = [];
  const http = (mails: readonly (typeof KEPT)[] | null, own = memoryInbox({ now: () => 0 })) =>
    new EmailsHttp({
      mail: own,
      calls: {
        async ask(call: unknown, question: InboxQuestion) {
          expect(INBOXES).toContain(call);
          if (call === readInbox) asked.push(question);
          return { mails };
        },
      },
    } as unknown as Runtime);
  const caller = (kind: 'key' | 'admin') =>
    ({ merchant_id: 'm1', mode: 'test', correlation_id: 'c', asker: { kind } }) as RequestContext;

  test('a key sees the mails of its merchant, the operator all', async () => {
    const { from_name: _, ...answer } = KEPT;
    expect(await http([KEPT]).read(caller('key'), { to: 'Ada@Example.com' })).toEqual([answer]);
    await http([]).read(caller('admin'), {});
    expect(asked).toEqual([
      { merchant: { merchant_id: 'm1', mode: 'test' }, to: 'Ada@Example.com' },
      { merchant: null, to: null },
    ]);
  });

  test('the gateway’s own mails are among them, newest first, and each once', async () => {
    const own = memoryInbox({ now: () => Date.parse('2027-01-01T00:00:00Z') });
    const code = { ...sampleMail({ subject: 'A code' }), mode: 'all' as const, merchant_id: 'm1' };
    for (const to of ['ada@example.com', 'bob@example.com']) {
      await own.send({ ...code, id: to, to: { name: '', address: to } });
    }
    await own.send({ ...code, id: 'of another', merchant_id: 'm2' });
    const [kept] = own.inbox.list({ to: 'bob@example.com' });
    const same = { ...KEPT, id: kept?.message_id ?? '', to: 'bob@example.com', sent_at: kept?.sent_at ?? '' };
    const mails = await http([KEPT, same], own).read(caller('key'), {});
    expect(mails.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'ada@example.com', 'bob@example.com']);
    expect(mails.at(-1)).toMatchObject({ id: KEPT.id });
  });

  test('where mails leave the program, it says where to look', async () => {
    await expect(http(null).read(caller('key'), {})).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('SMTP_URL') as string,
    });
  });
});
