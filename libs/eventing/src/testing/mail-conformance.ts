/// <reference types="jest" />
import fc from 'fast-check';
import type { Mail, Mailbox, OutgoingMail } from '../ports/mail';

/** A mail as a mailbox has it. */
export interface ArrivedMail {
  readonly message_id: string;
  /** Whom the server was told to bring it to. */
  readonly recipients: readonly string[];
  readonly from_name: string;
  readonly to: Mailbox;
  readonly reply_to: Mailbox | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailUnderTest {
  readonly mail: Mail;
  /** Oldest first. */
  arrived(): Promise<readonly ArrivedMail[]>;
  close(): Promise<void>;
}

/** A mail of this suite, with changes. */
export const sampleMail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  ...{ id: 'invoice-sent:1', mode: 'test', merchant_id: 'm-1', language: 'en' },
  from_name: 'ỌJÀ via Tender',
  to: { name: 'Adébáyọ̀ Ọlá', address: 'ada@example.com' },
  reply_to: { name: 'ỌJÀ, “the shop”', address: 'help@oja.example' },
  subject: 'Invoice INV-2026-000001 from ỌJÀ: ₦4,500',
  text: 'Please pay ₦4,500.\n.\nThank you.',
  html: '<p>Please pay <b>₦4,500</b>.</p>',
  ...changes,
});

const LINE_BREAKS = {
  ...{ CRLF: '\r\n', LF: '\n', CR: '\r', NEL: '\u0085', LS: '\u2028', PS: '\u2029' },
  ...{ NUL: '\0', VT: '\x0b' },
};

const named = (field: 'to' | 'reply_to', name: string) => ({
  [field]: { ...sampleMail()[field], name },
});
const addressed = (field: 'to' | 'reply_to', address: string) => ({
  [field]: { ...sampleMail()[field], address },
});

type Malformed = readonly [fault: string, field: string, changes: Partial<OutgoingMail>];

const INJECTIONS = Object.entries(LINE_BREAKS).flatMap(([fault, line_break]): Malformed[] => {
  const injected = `Shop${line_break}Bcc: thief@example.net`;
  return [
    [fault, 'subject', { subject: injected }],
    [fault, 'from_name', { from_name: injected }],
    [fault, 'to.name', named('to', injected)],
    [fault, 'reply_to.name', named('reply_to', injected)],
    [fault, 'to.address', addressed('to', `ada@example.com${line_break}`)],
  ];
});

const MALFORMED: readonly Malformed[] = [
  ...INJECTIONS,
  ['a second one', 'to.address', addressed('to', 'ada@example.com, thief@example.net')],
  ['a quoted part', 'to.address', addressed('to', '"thief@example.net x"@example.com')],
  ['a parameter', 'to.address', addressed('to', 'ada@example.com> SIZE=1 <x@y.example')],
  ['nothing', 'reply_to.address', addressed('reply_to', '')],
  ['nothing', 'subject', { subject: '' }],
  ['half of a pair', 'subject', { subject: 'half \ud83d' }],
  ['too much', 'subject', { subject: 's'.repeat(501) }],
  ['nothing', 'text', { text: '' }],
  ['too much', 'html', { html: 'h'.repeat(300 * 1024) }],
  ['nothing', 'id', { id: '' }],
];

/** What a context that sends mail may rely on, in either run. `make` gives an empty mailbox. */
export function mailConformance(name: string, make: () => Promise<MailUnderTest>): void {
  describe(`Mail: ${name}`, () => {
    let tested: MailUnderTest;
    beforeEach(async () => {
      tested = await make();
    });
    afterEach(() => tested.close());

    test('a mail arrives as it was, in every script, for its recipient alone', async () => {
      const sent = sampleMail({ text: `${sampleMail().text}\n${'ọ'.repeat(5_000)}` });
      expect(await tested.mail.send(sent)).toEqual({ taken: true });
      const [arrived, ...others] = await tested.arrived();
      const { from_name, to, reply_to, subject, html } = sent;
      expect(arrived).toMatchObject({ from_name, to, reply_to, subject, recipients: [to.address] });
      expect([arrived?.text.trimEnd(), arrived?.html.trimEnd()]).toEqual([sent.text, html]);
      expect(others).toEqual([]);
    });

    test('a mail that takes no answer says of none where it goes', async () => {
      await tested.mail.send(sampleMail({ reply_to: null }));
      expect(await tested.arrived()).toMatchObject([{ reply_to: null }]);
    });

    test('a repeat has the Message-ID of the first, another mail has another', async () => {
      await tested.mail.send(sampleMail());
      await tested.mail.send(sampleMail());
      await tested.mail.send(sampleMail({ id: 'invoice-sent:2\r\nBcc: thief@example.net' }));
      const [first, repeat, other] = (await tested.arrived()).map(({ message_id }) => message_id);
      expect(first).toMatch(/^<[a-z0-9]+@[a-z.]+>$/);
      expect(other).toMatch(/^<[a-z0-9]+@[a-z.]+>$/);
      expect(repeat).toBe(first);
      expect(other).not.toBe(first);
    });

    test.each(MALFORMED)('%s in %s: the field is named, and nothing is sent', async (_, field, changes) => {
      const outcome = await tested.mail.send(sampleMail(changes));
      expect(outcome).toEqual({ taken: false, refusal: 'malformed', detail: field });
      expect(await tested.arrived()).toEqual([]);
    });

    test('whatever text stands in a header, it stays in it', async () => {
      const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 120 });
      await fc.assert(
        fc.asyncProperty(text, text, async (subject, from_name) => {
          const before = await tested.arrived();
          const outcome = await tested.mail.send(sampleMail({ subject, from_name }));
          const after = (await tested.arrived()).slice(before.length);
          if (!outcome.taken) return expect(after).toEqual([]);
          const [{ recipients, to, reply_to, ...headers }] = after as [ArrivedMail];
          expect(recipients).toEqual(['ada@example.com']);
          expect([to, reply_to]).toEqual([sampleMail().to, sampleMail().reply_to]);
          expect(withoutSpace(headers.subject)).toBe(withoutSpace(subject));
          expect(withoutSpace(headers.from_name)).toBe(withoutSpace(from_name));
        }),
        { numRuns: 60 },
      );
    });

    test('of many at once each arrives once', async () => {
      const ids = Array.from({ length: 40 }, (_, at) => `mail-${at}`);
      const outcomes = await Promise.all(
        ids.map((id) => tested.mail.send(sampleMail({ id, subject: `About ${id}` }))),
      );
      expect(outcomes.every(({ taken }) => taken)).toBe(true);
      const subjects = (await tested.arrived()).map(({ subject }) => subject);
      expect(subjects.sort()).toEqual(ids.map((id) => `About ${id}`).sort());
    });
  });
}

/** Lines of a header are folded at spaces. */
const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
