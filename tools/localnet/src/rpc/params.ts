import bs58 from 'bs58';
import type { Commitment } from '../ledger/ledger-settings';
import { invalidParams } from './rpc-error';

export type Params = readonly unknown[];
export type Fields = Readonly<Record<string, unknown>>;

const COMMITMENTS: readonly unknown[] = ['processed', 'confirmed', 'finalized'];
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A transaction of 1,232 bytes in base58, as a node limits it: the time of decoding grows with the square. */
const BASE58_CHARACTERS_MAX = 1_683;

/** What a refusal shows of a value: it may be as long and as deep as a body is. */
const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 64)) : typeof value;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The optional configuration object of a method. Clients in Rust and Python send null for what is not set. */
export function fieldsOf(value: unknown): Fields {
  if (value === undefined || value === null) return {};
  if (!isFields(value)) throw invalidParams('Invalid params: expected a configuration object');
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** `{encoding: "…"}`, or the old form: the encoding alone. */
export const fieldsOrEncoding = (value: unknown): Fields =>
  typeof value === 'string' ? { encoding: value } : fieldsOf(value);

export function commitmentOf(fields: Fields): Commitment {
  const { commitment = 'finalized' } = fields;
  if (!COMMITMENTS.includes(commitment)) {
    throw invalidParams(`Invalid params: unknown commitment ${shown(commitment)}`);
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

/** Bytes in base58, which are no more than some characters long. */
export function base58Of(value: unknown, fault: string): Buffer {
  if (typeof value !== 'string') throw invalidParams('Invalid params: expected a base58 string');
  if (value.length > BASE58_CHARACTERS_MAX) {
    throw invalidParams(`base58 encoded value too large: max ${BASE58_CHARACTERS_MAX} characters`);
  }
  try {
    return Buffer.from(bs58.decode(value));
  } catch {
    throw invalidParams(fault);
  }
}

function base58Bytes(value: unknown, bytes: number): string {
  const decoded = base58Of(value, 'Invalid param: Invalid');
  if (decoded.length !== bytes) throw invalidParams('Invalid param: WrongSize');
  return value as string;
}

export const addressOf = (value: unknown): string => base58Bytes(value, KEY_BYTES);
export const signatureOf = (value: unknown): string => base58Bytes(value, SIGNATURE_BYTES);

export function integerOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: ${name} must be a non-negative integer`);
  }
  return value;
}

/** One of the names that a parameter may have. */
export function oneOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
): Name {
  const name = names.find((known) => known === value);
  if (name === undefined) throw invalidParams(`Invalid params: unknown ${what} ${shown(value)}`);
  return name;
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
    throw invalidParams(`unsupported encoding: ${shown(encoding)}. Supported: base58, base64`);
  }
  return base58Of(value, 'invalid base58 encoding');
}
