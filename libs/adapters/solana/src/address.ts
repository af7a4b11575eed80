import { PublicKey } from '@solana/web3.js';

/** 32 bytes in base58: the address of an account, or the hash of a genesis. */
export function isAddress(text: string): boolean {
  try {
    return new PublicKey(text).toBase58() === text;
  } catch {
    return false;
  }
}
