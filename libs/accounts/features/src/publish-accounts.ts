import type { MerchantEvent } from '@tender/accounts-domain';
import { merchantRegistered, passkeyRegistered, walletCreated } from '@tender/contracts';
import { publications, tells } from '@tender/eventing';

/** Others hear that a merchant exists, where it is paid, and what is public of its passkeys: nothing of its keys. */
export const publishAccounts = publications<MerchantEvent>(
  {
    MerchantRegistered: tells(merchantRegistered, ({ data }) => {
      const { merchant_id, wallet_address, webhook_url, created_at } = data;
      return { merchant_id, wallet_address, webhook_url, created_at };
    }),
    ApiKeyCreated: 'private',
    ApiKeyRotated: 'private',
    MerchantUpdated: 'private',
    PasskeyRegistered: tells(passkeyRegistered, ({ data }) => {
      const { merchant_id, passkey_id, kind, public_key, asked_by } = data;
      return { merchant_id, passkey_id, kind, public_key, asked_by };
    }),
    PasskeyRemoved: 'private',
    PasskeySetupIssued: 'private',
    PasskeySetupUsed: 'private',
    PasskeyWalletBegun: 'private',
    PasskeyWalletJoined: 'private',
    PasskeyWalletAgreed: 'private',
    WalletCreated: tells(walletCreated, ({ data }) => {
      const { merchant_id, wallet_address, webhook_url, created_at } = data;
      return { merchant_id, wallet_address, webhook_url, created_at };
    }),
    ShareSealed: 'private',
  },
  ({ data }) => data.merchant_id,
);
