import type { SetupHolder } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { KeyDirectory } from '../key-directory/key-directory';
import { merchant } from '../merchant-details/merchant.aggregate';
import { hashOfSetupToken, merchantInSetupToken } from './setup-token';

/** Who has opened a set-up link; the gateway asks. */
export interface Setups {
  /** Also of one that was used or has expired: what it may do then is for each route to say. */
  authenticate(token: string): Promise<SetupHolder | null>;
}

/** Reads the merchant’s stream: a newer link counts at once, at every gateway. */
export const openSetups = (
  runtime: Pick<Runtime, 'eventStore'>,
  directory: Pick<KeyDirectory, 'merchant'>,
): Setups => ({
  async authenticate(token) {
    const merchant_id = merchantInSetupToken(token);
    const known = merchant_id && (await merchant.load(runtime, 'all', merchant_id));
    const token_hash = hashOfSetupToken(token);
    if (!known || known.passkey_setup?.token_hash !== token_hash) return null;
    return { ...(await directory.merchant(known.merchant_id)), token_hash };
  },
});
