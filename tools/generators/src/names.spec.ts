import { commandWords, nounWords, pastOf, pluralOf } from './names';

test.each([
  ['plan', 'plans'],
  ['inquiry', 'inquiries'],
  ['key', 'keys'],
  ['box', 'boxes'],
  ['payment-link', 'payment-links'],
])('several of %s are %s', (noun, plural) => expect(pluralOf(noun)).toBe(plural));

test.each([
  ['archive', 'archived'],
  ['confirm', 'confirmed'],
  ['deny', 'denied'],
  ['sign-off', 'signed-off'],
])('%s has been %s, unless told otherwise', (verb, past) => expect(pastOf(verb)).toBe(past));

test.each(['Archive', 'ArchivePaymentLink'])('%s is a command to a payment link', (name) => {
  expect(commandWords(nounWords('payments', 'payment-link'), name)).toMatchObject({
    ...{ Command: 'ArchivePaymentLink', command: 'archive-payment-link', verb: 'archive' },
    ...{ Event: 'PaymentLinkArchived', event: 'payment-link-archived', VERB: 'ARCHIVE' },
  });
});

test('a past that is given counts', () => {
  const words = commandWords(nounWords('billing', 'invoice'), 'SendInvoice', 'sent');
  expect(words).toMatchObject({ Event: 'InvoiceSent', past_field: 'sent', a_noun: 'an invoice' });
});
