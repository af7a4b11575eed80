import type { MailLanguage } from '@tender/eventing';
import type { Shop } from './described-mail';

const en = {
  test_mode: 'Test mode: no real money moves here',
  fact: (label: string, value: string) => `${label}: ${value}`,
  sender: (shop: Shop | null) =>
    shop ? `${shop.name} sends you this mail through Tender.` : 'Tender sends you this mail.',
  answer: (shop: Shop | null) =>
    shop
      ? `Questions? Answer this mail, or write to ${shop.name} at ${shop.support_email}.`
      : 'Answers to this mail are not read.',
};

type Words = typeof en;

// No line begins with a colon or a question mark: the space before it does not break.
const fr: Words = {
  test_mode: 'Mode test\u00a0: aucun argent réel ne circule ici',
  fact: (label, value) => `${label}\u00a0: ${value}`,
  sender: (shop) =>
    shop ? `${shop.name} vous envoie ce message par Tender.` : 'Tender vous envoie ce message.',
  answer: (shop) =>
    shop
      ? `Une question\u00a0? Répondez à ce message, ou écrivez à ${shop.name}\u00a0: ${shop.support_email}.`
      : 'Les réponses à ce message ne sont pas lues.',
};

/** What every mail says in its own words, in each language. */
export const WORDS: Readonly<Record<MailLanguage, Words>> = { en, fr };
