import { passkeyRegistered } from '@tender/contracts';
import { streamName } from '@tender/eventing';
import { SoftPasskey, type ProofChanges } from '@tender/signer-domain/testing';
import { readApproval, readChallenge, type Proof } from '@tender/threshold';
import { testWallet } from '@tender/transactions/testing';
import { APPROVAL_URL } from './treasury-stage';
import type { WalletsStage } from './wallets-stage';

export const settlement_wallet = testWallet(4).address;

/** A merchant with an operating wallet, and the passkey that its signers believed. */
export interface PasskeyOwner {
  readonly merchant_id: string;
  readonly address: string;
  readonly passkey: SoftPasskey;
}

/** What merchants do by passkeys; the approval page is played by `proofOf`. */
export function passkeyOwners(stage: () => WalletsStage) {
  const owners = {
    send(method: 'POST' | 'PUT', path: string, merchant_id: string, body: object, changes: object = {}) {
      const on = stage().stage;
      return on.send(method, path, on.caller({ merchant_id, ...changes }), body);
    },
    async registered(
      merchant_id: string,
      { credential_id: passkey_id, public_key }: SoftPasskey,
      kind = 'signing',
      asked_by = 'session',
    ): Promise<void> {
      const data = { merchant_id, passkey_id, kind, public_key, asked_by };
      const on = stage();
      if (kind === 'signing') on.hasPasskey(merchant_id, passkey_id, public_key);
      await on.stage.say(streamName('merchant', 'all', merchant_id), passkeyRegistered.type, data);
      await on.stage.settle();
    },
    async merchantWithPasskey(): Promise<PasskeyOwner> {
      const merchant_id = stage().merchant(settlement_wallet);
      const { address } = await stage().opened(merchant_id);
      const passkey = new SoftPasskey();
      await owners.registered(merchant_id, passkey);
      return { merchant_id, address, passkey };
    },
    /** The link to the approval page says the same as the answer. */
    async challengeOf(merchant_id: string, operation: object): Promise<string> {
      const { status, json } = await owners.send('POST', '/api/v1/passkey-challenges', merchant_id, { operation });
      expect([status, json]).toMatchObject([201, { challenge_id: expect.stringMatching(/^pkc_[0-9a-f]{32}$/) }]);
      const { expires_ms } = readChallenge(json.challenge)!;
      expect(json.expires_at).toBe(new Date(expires_ms).toISOString());
      const link = new URL(json.approval_url as string);
      expect([link.origin, link.pathname, link.search]).toEqual([APPROVAL_URL, '/approve', '']);
      const { type } = operation as { readonly type: string };
      const request = readApproval(link.hash.slice(1), Date.now());
      const { challenge } = json as { readonly challenge: string };
      expect(request).toMatchObject({ operation: { type, merchant_id }, challenge, expires_ms });
      return challenge;
    },
    async proofOf(
      { merchant_id, passkey }: Pick<PasskeyOwner, 'merchant_id' | 'passkey'>,
      operation: object,
      changes: ProofChanges = {},
    ): Promise<Proof> {
      const challenge = await owners.challengeOf(merchant_id, operation);
      return passkey.signing(readChallenge(challenge)!, changes);
    },
  };
  return owners;
}
