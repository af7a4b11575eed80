import { signerOf } from '@tender/transactions';

/**
 * What pays fees in one mode: of gasless payments, or of outgoing transfers. Treasury alone holds it, and asks it only
 * for what this service has built: a key in memory here, a signing service elsewhere.
 */
export interface FeeKey {
  readonly address: string;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/** A key whose secret this process holds; nothing shows it again. */
export function keyInMemory(secret: Uint8Array): FeeKey {
  const { address, sign } = signerOf(secret);
  return { address, sign: async (message) => sign(message) };
}
