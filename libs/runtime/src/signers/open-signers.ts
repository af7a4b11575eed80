import type { Log, Signers } from '@tender/eventing';
import type { Closer } from '../open-tables';
import type { SignerSettings } from '../settings/signer-settings';
import { onceAwake } from './once-awake';
import { RECOVERY_MAIN } from './signer-program';

/**
 * Treasury’s way to the signers that are set; null: no wallet is under them. `closers` end it. `awaken` is called
 * before they are first asked, where the program starts them itself.
 */
export async function openSignersOf(
  settings: SignerSettings | null,
  log: Log,
  closers: Closer[],
  awaken?: () => Promise<void>,
): Promise<Signers | null> {
  if (settings === null) return null;
  // Loaded only where it is needed: other services would pay its memory.
  const { openSigners } = await import('@tender/adapter-signers');
  const signers = openSigners({ ...settings, recovery_main: RECOVERY_MAIN, log });
  closers.push(() => signers.close());
  // Those who run the signers pin it.
  log.info({ treasury_identity: signers.identity.public_key }, 'signers are asked under this identity');
  if (!awaken) return signers;
  return {
    ...signers,
    A: onceAwake(signers.A, awaken),
    B: onceAwake(signers.B, awaken),
  };
}
