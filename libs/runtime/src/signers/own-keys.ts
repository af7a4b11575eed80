import path from 'node:path';
import type { KeptRecoveryKey } from '@tender/adapter-signers';
import type { Env } from '@tender/eventing';
import { keptText } from '../settings/kept-text';
import { readIdentitySeed } from '../settings/signer-settings';

/** What signers and treasury must know of each other besides the identities of the signers. */
export interface OwnKeys {
  /** Treasury’s public identity, base58. */
  readonly treasury: string;
  /** What shares for disasters are sealed to, base64. */
  readonly recovery_key: string;
}

/** The operator’s, or those that were made in the data folder at the first start. */
export async function ownKeys(env: Env, data_dir: string): Promise<OwnKeys> {
  // Loaded by launchers alone.
  const { newRecoveryKey, publicIdentity } = await import('@tender/adapter-signers');
  return {
    treasury: publicIdentity(readIdentitySeed(env, data_dir)),
    recovery_key: env['RECOVERY_PUBLIC_KEY'] || publicKeyIn(data_dir, newRecoveryKey),
  };
}

/** For local chains, whose money is worth nothing: elsewhere the secret is on no machine of the service. */
function publicKeyIn(data_dir: string, newPair: () => KeptRecoveryKey): string {
  const make = () => JSON.stringify(newPair(), null, 2);
  const pair = keptText(path.join(data_dir, 'recovery-key'), make);
  return (JSON.parse(pair) as KeptRecoveryKey).public_key;
}
