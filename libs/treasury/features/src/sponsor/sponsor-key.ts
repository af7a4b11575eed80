import { signerOf } from '@tender/transactions';
import bs58 from 'bs58';

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

const SECRET_BYTES = 64;

/** Reads a key file: the list of 64 numbers that Solana’s tools write, or their base58. Null where it is neither. */
export function secretOfKeyFile(text: string): Uint8Array | null {
  const secret = text.startsWith('[') ? listed(text) : bs58.decodeUnsafe(text.trim());
  if (secret?.length !== SECRET_BYTES) return null;
  const address = bs58.encode(secret.subarray(SECRET_BYTES / 2));
  return signerOf(secret).address === address ? secret : null;
}

function listed(text: string): Uint8Array | null {
  try {
    const numbers = JSON.parse(text) as readonly unknown[];
    const are_bytes = numbers.every((one) => Number.isInteger(one) && (one as number) >> 8 === 0);
    return are_bytes ? Uint8Array.from(numbers as readonly number[]) : null;
  } catch {
    return null;
  }
}
