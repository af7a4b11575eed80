import { merchantDecider } from '@tender/accounts-domain';
import { commandHandler, streamName, type KeyRing, type Runtime, type StreamName } from '@tender/eventing';
import type { RefusalAnswers } from '@tender/http';
import type { MerchantRefusal } from '@tender/accounts-domain';
import { uuidOf } from '@tender/kernel';

/** A merchant and its keys are one thing in both modes (settled 10). */
export const merchantStream = (merchant_id: string): StreamName =>
  streamName('merchant', 'all', merchant_id);

/** E-mails are trimmed and compared in lower case (decisions §1.11): one e-mail, one stream. */
export const merchantIdOf = (keyRing: KeyRing, email: string): string =>
  uuidOf(keyRing.idBytes(`merchant|${email.trim().toLowerCase()}`));

export const merchantHandler = ({ eventStore, clock, random }: Runtime) =>
  commandHandler({
    store: eventStore,
    clock,
    random,
    decider: merchantDecider,
    begins: (command) => command.type === 'RegisterMerchant',
  });

export const MERCHANT_REFUSALS: RefusalAnswers<MerchantRefusal> = {
  merchant_exists: [409, 'merchant_exists', 'A merchant with this e-mail exists. Sign in instead.'],
  merchant_unknown: [404, 'not_found', 'There is no such resource.'],
  live_key_from_test_key: [
    403,
    'forbidden',
    'A test key cannot make a live key. Use a live key, or ask for the first one.',
  ],
  key_unknown: [404, 'not_found', 'There is no such resource.'],
  key_already_rotated: [
    409,
    'key_already_rotated',
    'This key was rotated before. Rotate the key that took its place.',
  ],
};
