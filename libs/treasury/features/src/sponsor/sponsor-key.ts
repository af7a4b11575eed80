import { signerOf } from '@tender/transactions';

/**
 * What pays the fees of one mode. Treasury alone holds it, and asks it only for what the guard has let pass: a key in
 * memory here, a signing service elsewhere.
 */
export interface SponsorKey {
  readonly address: string;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/** A key whose secret this process holds; nothing shows it again. */
export function keyInMemory(secret: Uint8Array): SponsorKey {
  const { address, sign } = signerOf(secret);
  return { address, sign: async (message) => sign(message) };
}
