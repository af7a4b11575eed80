import { merchantDecider } from '@tender/accounts-domain';
import { aggregate, type KeyRing } from '@tender/eventing';
import { uuidOf } from '@tender/kernel';

/** A merchant and its keys are one thing in both modes (M17). */
export const merchant = aggregate({
  noun: 'merchant',
  modes: ['all'],
  decider: merchantDecider,
  begins: ['RegisterMerchant'],
  view: { name: 'accounts.merchants@1', table: 'accounts.merchants' },
});

/** E-mails are trimmed and compared in lower case (specification §1.11): one e-mail, one stream. */
export const merchantIdOf = (keyRing: KeyRing, email: string): string =>
  uuidOf(keyRing.idBytes(`merchant|${email.trim().toLowerCase()}`));
