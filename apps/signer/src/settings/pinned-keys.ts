import { bytesOfBase64, keyBytes } from '@tender/transactions';
import { EXAMPLE_RECOVERY_KEY } from './example-recovery-key';
import { required, SettingsFault, type Env } from './settings-fault';

export interface PinnedKeys {
  readonly treasury_identity: string;
  readonly peer_identity: string;
  /** X25519, base64. */
  readonly recovery_key: string;
}

/**
 * `TREASURY_IDENTITY`, `PEER_IDENTITY`, `RECOVERY_KEY`: what this signer believes whom by. `is_worthless`: nothing that
 * the chains move is worth anything, so that an example will do.
 */
export function readPinnedKeys(env: Env, is_worthless: boolean): PinnedKeys {
  const who = 'what `node main.js identity` prints there as identity_key, base58.';
  const treasury_identity = readIdentity(env, 'TREASURY_IDENTITY', 'treasury’s public key, base58.');
  const peer_identity = readIdentity(env, 'PEER_IDENTITY', `the public key of the other signer: ${who}`);
  if (treasury_identity === peer_identity) {
    throw new SettingsFault(
      'PEER_IDENTITY is TREASURY_IDENTITY: each has an identity of its own, made where it runs.',
    );
  }
  return { treasury_identity, peer_identity, recovery_key: readRecoveryKey(env, is_worthless) };
}

function readIdentity(env: Env, name: string, hint: string): string {
  const text = required(env, name, hint);
  if (keyBytes(text) !== null) return text;
  throw new SettingsFault(`${name} is no key: it takes ${hint}`);
}

function readRecoveryKey(env: Env, is_worthless: boolean): string {
  const name = 'RECOVERY_KEY';
  const hint = 'the public X25519 key whose secret is offline, 32 bytes in base64.';
  if (is_worthless && !env[name]) return EXAMPLE_RECOVERY_KEY;
  const text = required(env, name, hint);
  if (text === EXAMPLE_RECOVERY_KEY && !is_worthless) {
    throw new SettingsFault(`${name} is the example, whose secret anyone can read: it takes ${hint}`);
  }
  const bytes = bytesOfBase64(text);
  if (bytes?.length === 32 && bytes.some((byte) => byte !== 0)) return text;
  throw new SettingsFault(`${name} is no key: it takes ${hint}`);
}
