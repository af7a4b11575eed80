import type { MerchantEvent } from '@tender/accounts-domain';
import { merchantRegistered, passkeyRegistered, walletCreated } from '@tender/contracts';
import { publications, tells } from '@tender/eventing';

/** Other contexts hear that a merchant exists and where it is paid, what is public of its passkeys, and nothing about its keys. */
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
      const { merchant_id, passkey_id, kind, public_key } = data;
      return { merchant_id, passkey_id, kind, public_key };
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
