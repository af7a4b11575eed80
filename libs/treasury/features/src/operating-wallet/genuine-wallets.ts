import { hash } from 'node:crypto';
import type { Signers } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { HOSTED_QUORUM, rosterFault, type Role, type SignedRoster } from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';

/** Far more than are asked for between two restarts; what falls out is verified again, in milliseconds. */
const KNOWN_MAX = 10_000;

/**
 * Tells wallets that signers A and B have made from those that a hand in the log has written: money is sent to no
 * address, and no address is shown, that the pinned identities of both have not signed for this merchant.
 */
export class GenuineWallets {
  private readonly known = new Set<string>();

  /** Why a wallet is not believed; null: it is. Without signers there is nothing to compare with. */
  faultOf(signers: Pick<Signers, 'identity_keys'> | null, mode: Mode, wallet: OpenWallet): string | null {
    if (signers === null) return null;
    const { merchant_id, address, roster } = wallet;
    const { identity_keys } = signers;
    const seen = hash('sha256', JSON.stringify([mode, merchant_id, address, roster, identity_keys]));
    if (this.known.has(seen)) return null;
    const fault = faultOfWallet(identity_keys, mode, wallet);
    if (fault !== null) return fault;
    if (this.known.size >= KNOWN_MAX) this.known.clear();
    this.known.add(seen);
    return null;
  }
}

function faultOfWallet(
  identity_keys: Signers['identity_keys'],
  mode: Mode,
  wallet: OpenWallet,
): string | null {
  const signed = wallet.roster as SignedRoster;
  const fault = rosterFault(signed);
  if (fault !== null) return fault;
  const { parties, ...roster } = signed.roster;
  const keyOf = (of: Role) => parties.find(({ role }) => role === of)?.identity_key;
  const stranger = HOSTED_QUORUM.find((role) => keyOf(role) !== identity_keys[role]);
  if (stranger) return `its ${stranger} is not the signer that is pinned`;
  const is_of_merchant = roster.merchant_id === wallet.merchant_id && roster.mode === mode;
  return is_of_merchant && roster.wallet === wallet.address ? null : 'its roster is of another wallet';
}
