import type { MailLanguage } from '@tender/eventing';

const en = {
  subject: 'Your code to sign in to Tender',
  title: 'Your code to sign in',
  text: (shop: string) => `Type this code in to sign in to the dashboard of ${shop}.`,
  code: 'Code',
  until: 'Good for',
  minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}, once`,
  caution:
    'If you have not asked for it, do nothing: without the code this leads nowhere. Tender never asks you for it in a mail, a message or a call.',
  why: 'You get it because a code was asked for on the page where you sign in.',
};

type Words = typeof en;

const fr: Words = {
  subject: 'Votre code de connexion à Tender',
  title: 'Votre code de connexion',
  text: (shop) => `Saisissez ce code pour vous connecter au tableau de bord de ${shop}.`,
  code: 'Code',
  until: 'Valable',
  minutes: (count) => `${count} ${count === 1 ? 'minute' : 'minutes'}, une seule fois`,
  caution:
    'Si vous ne l’avez pas demandé, ne faites rien\u00a0: sans le code, cela ne mène à rien. Tender ne vous le demande jamais par e-mail, par message ou par téléphone.',
  why: 'Vous le recevez car un code a été demandé sur la page de connexion.',
};

/** What the mail of a login code says, in each language. */
export const WORDS: Readonly<Record<MailLanguage, Words>> = { en, fr };
