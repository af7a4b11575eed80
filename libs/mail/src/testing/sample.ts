import type { DescribedMail } from '../described-mail';

/** An invoice as a shop sends it. */
export const sampleInvoice = (changes: Partial<DescribedMail> = {}): DescribedMail => ({
  ...{ id: 'invoice-sent:1', mode: 'live', merchant_id: 'm-1', language: 'en' },
  to: { name: 'Adébáyọ̀ Ọlá', address: 'ada@example.com' },
  shop: { name: 'ỌJÀ Fabrics', support_email: 'help@oja.example' },
  subject: 'Invoice INV-2026-000042 from ỌJÀ Fabrics',
  title: 'Invoice INV-2026-000042',
  parts: [
    { kind: 'paragraph', text: 'Hello Adébáyọ̀,\nhere is your invoice for six yards of adire.' },
    {
      kind: 'facts',
      rows: [
        { label: 'Amount', value: '$45.00 (₦67,500)' },
        { label: 'Due', value: '30 November 2026' },
      ],
    },
    { kind: 'action', label: 'Pay $45.00', url: 'https://pay.example/l/lnk_7Qk2?invoice=1&lang=en' },
  ],
  why: 'You get it because ỌJÀ Fabrics has sent you an invoice.',
  ...changes,
});
