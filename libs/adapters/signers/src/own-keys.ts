import { identityOf } from '@tender/threshold';

/** The public key of an identity’s seed, base58: what others pin. */
export const publicIdentity = (seed: Uint8Array): string => identityOf(seed).public_key;
