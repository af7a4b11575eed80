import { keyBytes } from '@tender/transactions';

/** 32 bytes in base58: the address of an account, or the hash of a genesis. */
export const isAddress = (text: string): boolean => keyBytes(text) !== null;
