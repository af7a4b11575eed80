import bs58 from 'bs58';
import type { Commitment } from '../ledger/ledger-settings';
import { invalidParams } from './rpc-error';

export type Params = readonly unknown[];
export type Fields = Readonly<Record<string, unknown>>;

const COMMITMENTS: readonly unknown[] = ['processed', 'confirmed', 'finalized'];
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The optional configuration object of a method. */
export function fieldsOf(value: unknown): Fields {
  if (value === undefined || value === null) return {};
  if (!isFields(value)) throw invalidParams('Invalid params: expected a configuration object');
  return value;
}

/** `{encoding: "…"}`, or the old form: the encoding alone. */
export const fieldsOrEncoding = (value: unknown): Fields =>
  typeof value === 'string' ? { encoding: value } : fieldsOf(value);

export function commitmentOf(fields: Fields): Commitment {
  const { commitment = 'finalized' } = fields;
  if (!COMMITMENTS.includes(commitment)) {
    throw invalidParams(`Invalid params: unknown commitment ${JSON.stringify(commitment)}`);
  }
  return commitment as Commitment;
}

/** History is not served for blocks that are still being filled. */
export function confirmedAtLeast(fields: Fields): Commitment {
  const commitment = commitmentOf(fields);
  if (commitment === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
  return commitment;
}

function base58Bytes(value: unknown, bytes: number): string {
  if (typeof value !== 'string') throw invalidParams('Invalid params: expected a base58 string');
  let decoded: Uint8Array;
  try {
    decoded = bs58.decode(value);
  } catch {
    throw invalidParams('Invalid param: Invalid');
  }
  if (decoded.length !== bytes) throw invalidParams('Invalid param: WrongSize');
  return value;
}

export const addressOf = (value: unknown): string => base58Bytes(value, KEY_BYTES);
export const signatureOf = (value: unknown): string => base58Bytes(value, SIGNATURE_BYTES);

export function integerOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: ${name} must be a non-negative integer`);
  }
  return value;
}

export function listOf(value: unknown, max: number): unknown[] {
  if (!Array.isArray(value)) throw invalidParams('Invalid params: expected an array');
  if (value.length > max) throw invalidParams(`Too many inputs provided; max ${max}`);
  return value as unknown[];
}

/** The bytes of a parameter in base58 (Solana's default) or base64. */
export function bytesOf(value: unknown, encoding: unknown = 'base58'): Buffer {
  if (typeof value !== 'string') throw invalidParams('Invalid params: expected a string');
  if (encoding === 'base64') {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.toString('base64') !== value) throw invalidParams('invalid base64 encoding');
    return bytes;
  }
  if (encoding !== 'base58') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported: base58, base64`);
  }
  try {
    return Buffer.from(bs58.decode(value));
  } catch {
    throw invalidParams('invalid base58 encoding');
  }
}
