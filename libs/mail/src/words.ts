import type { MailLanguage } from '@tender/eventing';

const en = {
  test_mode: 'Test mode: no real money moves here',
  fact: (label: string, value: string) => `${label}: ${value}`,
  sender: (shop: string) => `${shop} sends you this mail through Tender.`,
  answer: (shop: string, email: string) =>
    `Questions? Answer this mail, or write to ${shop} at ${email}.`,
};

type Words = typeof en;

// No line begins with a colon or a question mark: the space before it does not break.
const fr: Words = {
  test_mode: 'Mode test\u00a0: aucun argent réel ne circule ici',
  fact: (label, value) => `${label}\u00a0: ${value}`,
  sender: (shop) => `${shop} vous envoie ce message par Tender.`,
  answer: (shop, email) =>
    `Une question\u00a0? Répondez à ce message, ou écrivez à ${shop}\u00a0: ${email}.`,
};

/** What every mail says in its own words, in each language. */
export const WORDS: Readonly<Record<MailLanguage, Words>> = { en, fr };
