import { scryptAsync } from '@noble/hashes/scrypt.js';
import type { Scrypt } from './scrypt';

/** Lets the page draw now and then. */
export const scrypt: Scrypt = (password, salt, cost, onProgress) =>
  scryptAsync(password, salt, { ...cost, ...(onProgress ? { onProgress } : {}) });
