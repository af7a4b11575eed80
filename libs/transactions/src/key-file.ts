import bs58 from 'bs58';
import { signerOf } from './signatures';

const SECRET_BYTES = 64;
/** 32 bytes in base64. No base58 ends so. */
const SEED = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Reads a key file: the list of 64 numbers that Solana’s tools write, their base58, or a seed in base64, which Tender
 * keeps of the keys that it makes. Null where it is none of them.
 */
export function secretOfKeyFile(text: string): Uint8Array | null {
  if (SEED.test(text)) return Buffer.from(text, 'base64');
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
