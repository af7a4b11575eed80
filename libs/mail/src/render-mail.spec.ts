import fc from 'fast-check';
import { malformedMail } from '@tender/eventing';
import type { DescribedMail } from './described-mail';
import { renderMail } from './render-mail';
import { sampleInvoice } from './testing/sample';

/** The texts and addresses of an HTML page, read by its tags alone. */
const TAG = /<[^>]*>/g;
const tagsOf = (html: string): readonly string[] => (html.match(TAG) ?? []).map((tag) => tag.split(/[\s>]/)[0] as string);

test('headers say who sends and who hears the answer', () => {
  expect(renderMail(sampleInvoice())).toMatchObject({
    ...{ id: 'invoice-sent:1', mode: 'live', merchant_id: 'm-1', language: 'en' },
    from_name: 'ỌJÀ Fabrics via Tender',
    to: { name: 'Adébáyọ̀ Ọlá', address: 'ada@example.com' },
    reply_to: { name: 'ỌJÀ Fabrics', address: 'help@oja.example' },
    subject: 'Invoice INV-2026-000042 from ỌJÀ Fabrics',
  });
});

test('the text form has all that the HTML form has, in its order', () => {
  expect(renderMail(sampleInvoice()).text).toBe(`Invoice INV-2026-000042

Hello Adébáyọ̀,
here is your invoice for six yards of adire.

Amount: $45.00 (₦67,500)
Due: 30 November 2026

Pay $45.00:
https://pay.example/l/lnk_7Qk2?invoice=1&lang=en

----------

ỌJÀ Fabrics sends you this mail through Tender. You get it because ỌJÀ Fabrics has sent you an invoice.

Questions? Answer this mail, or write to ỌJÀ Fabrics at help@oja.example.
`);
});

test('French has its own words and its own punctuation', () => {
  const { text, html } = renderMail(sampleInvoice({ language: 'fr', mode: 'test' }));
  for (const form of [text, html]) {
    expect(form).toContain('Mode test\u00a0: aucun argent réel ne circule ici');
    expect(form).toContain('ỌJÀ Fabrics vous envoie ce message par Tender.');
    expect(form).toContain('Répondez à ce message, ou écrivez à ỌJÀ Fabrics\u00a0: help@oja.example.');
  }
  expect(text).toContain('Due\u00a0: 30 November 2026');
  expect(html).toContain('<html lang="fr">');
});

test('an amount keeps the spaces that hold it together', () => {
  const rows = [{ label: 'Montant', value: '67\u202f500,00\u00a0€\r\n' }];
  const { text } = renderMail(sampleInvoice({ language: 'fr', parts: [{ kind: 'facts', rows }] }));
  expect(text).toContain('Montant\u00a0: 67\u202f500,00\u00a0€\n');
});

test('only a mail of test mode says that it is one', () => {
  const says = (mode: DescribedMail['mode']) => renderMail(sampleInvoice({ mode })).html.includes('Test mode');
  expect([says('test'), says('live'), says('all')]).toEqual([true, false, false]);
});

test('nothing in the HTML is loaded, and no tag is a table', () => {
  const { html } = renderMail(sampleInvoice());
  expect(html).not.toMatch(/<(table|img|link|script|iframe)|url\(|@import|src=/);
  expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://pay.example/l/lnk_7Qk2?invoice=1&amp;lang=en"']);
});

test('whatever strangers write, no tag comes of it and every mail can be sent', () => {
  const evil = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('</title><script>alert(1)</script>', '" onload="x', "'><img src=x>", '&lt;b&gt;', 'a\r\nBcc: b@c.de'),
  );
  const expected = tagsOf(renderMail(sampleInvoice()).html);
  fc.assert(
    fc.property(evil, evil, evil, (name, text, value) => {
      const described = sampleInvoice({
        shop: { name: `Shop ${name}`, support_email: 'help@oja.example' },
        to: { name, address: 'ada@example.com' },
        ...{ subject: `About ${text}`, title: text, why: value },
        parts: [
          { kind: 'paragraph', text },
          { kind: 'facts', rows: [{ label: text, value }, { label: name, value: text }] },
          { kind: 'action', label: name, url: 'https://pay.example/l/lnk_7Qk2' },
        ],
      });
      const rendered = renderMail(described);
      expect(malformedMail(rendered)).toBeNull();
      expect(tagsOf(rendered.html)).toEqual(expected);
      expect(rendered.html).not.toMatch(/\p{Bidi_Control}/u);
    }),
  );
});

test('a description stands whole in both forms', () => {
  const value = `${'Six yards of adire. '.repeat(25).trim()}!`;
  expect(value).toHaveLength(500);
  const { html, text } = renderMail(sampleInvoice({ parts: [{ kind: 'facts', rows: [{ label: 'For', value }] }] }));
  expect([html.includes(value), text.includes(`For: ${value}\n`)]).toEqual([true, true]);
});

test('a text too long to be read to its end is cut, between characters', () => {
  const long = sampleInvoice({
    shop: { name: '🧵'.repeat(10_000), support_email: 'help@oja.example' },
    parts: [{ kind: 'paragraph', text: '🧵'.repeat(100_000) }],
  });
  const rendered = renderMail(long);
  expect(malformedMail(rendered)).toBeNull();
  expect(rendered.reply_to?.name).toBe(`${'🧵'.repeat(199)}…`);
});

test.each(['javascript:alert(1)', 'https://pay.example/"onclick="x', 'ftp://pay.example/', '//pay.example'])(
  'a mail does not lead to %s',
  (url) => {
    const parts = [{ kind: 'action', label: 'Pay', url }] as const;
    expect(() => renderMail(sampleInvoice({ parts }))).toThrow('a mail leads to pages alone');
  },
);
