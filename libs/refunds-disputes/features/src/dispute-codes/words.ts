import type { MailLanguage } from '@tender/eventing';

const en = {
  subject: (shop: string) => `Your code to dispute a payment to ${shop}`,
  title: 'Your code to open a dispute',
  text: (shop: string) => `Type this code in to open a dispute about your payment to ${shop}.`,
  code: 'Code',
  payment: 'Payment',
  until: 'Good for',
  minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}, once`,
  caution:
    'If you have not asked for it, do nothing: without the code no dispute is opened. Tender never asks you for it in a mail, a message or a call.',
  why: 'You get it because a code was asked for with your e-mail, which is the one of this payment.',
};

type Words = typeof en;

const fr: Words = {
  subject: (shop) => `Votre code pour contester un paiement à ${shop}`,
  title: 'Votre code pour ouvrir un litige',
  text: (shop) => `Saisissez ce code pour ouvrir un litige au sujet de votre paiement à ${shop}.`,
  code: 'Code',
  payment: 'Paiement',
  until: 'Valable',
  minutes: (count) => `${count} ${count === 1 ? 'minute' : 'minutes'}, une seule fois`,
  caution:
    'Si vous ne l’avez pas demandé, ne faites rien\u00a0: sans le code, aucun litige n’est ouvert. Tender ne vous le demande jamais par e-mail, par message ou par téléphone.',
  why: 'Vous le recevez car un code a été demandé avec votre adresse e-mail, celle de ce paiement.',
};

/** What the mail of a code says, in each language. */
export const WORDS: Readonly<Record<MailLanguage, Words>> = { en, fr };
