import { signerOf } from '@tender/transactions';

/** What a party signs its messages with; its public key is pinned by the others. */
export interface Identity {
  /** Ed25519, base58. */
  readonly public_key: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** The identity of a seed of 32 bytes. It keeps a key object of its own, so the seed may be zeroed. */
export function identityOf(seed: Uint8Array): Identity {
  const { address, sign } = signerOf(seed);
  return { public_key: address, sign };
}
