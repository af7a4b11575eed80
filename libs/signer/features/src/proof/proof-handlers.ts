import type { ProofMessages } from '@tender/threshold';
import type { SignerParts } from '../service/ports';
import type { Handlers } from '../service/signed-asks';
import { limit } from './limit';
import { pinPasskey } from './pin-passkey';
import { unfreeze } from './unfreeze';
import { unpinPasskey } from './unpin-passkey';

/** What a signer does about passkeys, and about what they allow. */
export const proofHandlers = (
  parts: SignerParts,
): Required<Pick<Handlers, keyof ProofMessages>> => ({
  'passkey.pin': (ask) => pinPasskey(parts, ask),
  'passkey.unpin': (ask) => unpinPasskey(parts, ask),
  unfreeze: (ask) => unfreeze(parts, ask),
  limit: (ask) => limit(parts, ask),
});
