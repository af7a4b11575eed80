import type { RefusalAnswers } from '@tender/http';
import { SETUP_REFUSALS } from '../passkey-setup/spent-setup';

const LINK = {
  ...SETUP_REFUSALS,
  merchant_unknown: [404, 'not_found', 'There is no such resource.'],
} as const;

const PASSKEY_UNKNOWN = {
  passkey_unknown: [
    403,
    'passkey_unknown_credential',
    'The merchant has no such signing passkey. Register it first.',
  ],
} as const satisfies RefusalAnswers<string>;

/** Of the steps of a ceremony. */
export const CEREMONY_REFUSALS = {
  ...LINK,
  wallet_exists: [
    409,
    'wallet_exists',
    'The merchant has a wallet, which stays the one that it is paid into.',
  ],
  ceremony_unknown: [
    409,
    'ceremony_unknown',
    'This ceremony is not under way: it took too long, or a newer one has begun. Begin another.',
  ],
} as const satisfies RefusalAnswers<string>;

export const CONFIRM_REFUSALS = { ...CEREMONY_REFUSALS, ...PASSKEY_UNKNOWN } as const;

export const SHARE_REFUSALS = {
  ...LINK,
  ...PASSKEY_UNKNOWN,
  wallet_not_ready: [409, 'wallet_not_ready', 'There is no passkey wallet yet. Set it up first.'],
  share_exists: [
    409,
    'share_exists',
    'This passkey has its share of the wallet, which is never replaced. Register another passkey.',
  ],
} as const satisfies RefusalAnswers<string>;
