import { identityOf } from '@tender/threshold';
import type { Log, Signers } from '@tender/eventing';
import { openRecoveryProcess } from './recovery-process';
import { signerLink, type ClientCertificate } from './signer-link';

export interface SignersOptions {
  readonly urls: Readonly<Record<'A' | 'B', string>>;
  /** The public identity keys that are pinned for them, base58. */
  readonly identity_keys: Readonly<Record<'A' | 'B', string>>;
  /** Of treasury’s identity: 32 bytes that stay in this process. */
  readonly identity_seed: Uint8Array;
  /** Where both sides show certificates; null: HTTP. */
  readonly certificate: ClientCertificate | null;
  /** The built file of the program that makes the share for disasters. */
  readonly recovery_main: string;
  /** The offline key, X25519, base64. */
  readonly recovery_key: string;
  readonly log: Log;
}

/** Treasury’s way to the signers: to A and B over HTTP, to R through the pipe of a process of its own. */
export function openSigners(options: SignersOptions): Signers & { close(): Promise<void> } {
  const { urls, certificate, recovery_main, recovery_key, log } = options;
  const link = (role: 'A' | 'B') =>
    signerLink({ name: `signer ${role}`, url: urls[role], certificate });
  const [A, B] = [link('A'), link('B')];
  return {
    ...{ A, B },
    identity_keys: options.identity_keys,
    identity: identityOf(options.identity_seed),
    openRecovery: () => openRecoveryProcess({ main: recovery_main, recovery_key, log }),
    async close() {
      await Promise.all([A.close(), B.close()]);
    },
  };
}
