import { sealShare, type CeremonyResult } from '@tender/threshold';
import { addWallet } from '../ledger/wallets';
import type { SignerParts } from '../service/ports';

/** Seals a signer’s new share and keeps it. */
export async function keepShare(
  { kek, ledger, clock }: SignerParts,
  { roster, share }: CeremonyResult,
): Promise<void> {
  const { wallet, epoch } = roster;
  const sealed_share = await sealShare(share, kek, { wallet, epoch });
  await addWallet(ledger, { roster, sealed_share, now_ms: clock.wall() });
}
