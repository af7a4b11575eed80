import type { VmAccount } from '../ledger/vm';
import { readTokenAccount } from '../wire/token-layout';
import { base58Of, fieldsOf, integerOf, isFields, listOf, oneOf, type Fields } from './params';
import { invalidParams } from './rpc-error';

const FILTERS_MAX = 4;
const MEMCMP_BYTES_MAX = 128;
const MEMCMP_ENCODINGS = ['base58', 'binary', 'base64', 'bytes'] as const;

/** Which of a program's accounts a caller wants. */
export interface AccountFilter {
  matches(account: VmAccount): boolean;
  /** Of every account that matches; null where the filters leave it open. */
  readonly size: number | null;
}

/** The `filters` of getProgramAccounts and programSubscribe. */
export function accountFilterOf(filters: unknown): AccountFilter {
  const wanted = listOf(filters ?? [], FILTERS_MAX).map(filterOf);
  const sizes = wanted.flatMap(({ size }) => size ?? []);
  return {
    matches: (account) => wanted.every((filter) => filter.matches(account)),
    size: sizes[0] ?? null,
  };
}

function filterOf(filter: unknown): AccountFilter {
  if (filter === 'tokenAccountState') {
    const matches = ({ owner, data }: VmAccount) => readTokenAccount(owner, data) !== null;
    return { matches, size: null };
  }
  if (!isFields(filter)) throw invalidParams('Invalid params: a filter is an object');
  const { dataSize, memcmp } = fieldsOf(filter);
  if (dataSize !== undefined) {
    const size = integerOf(dataSize, 'dataSize');
    return { matches: ({ data }) => data.length === size, size };
  }
  if (!isFields(memcmp)) throw invalidParams('Invalid params: unknown filter');
  const compared = fieldsOf(memcmp);
  const offset = integerOf(compared['offset'], 'offset');
  const bytes = memcmpBytes(compared);
  const matches = ({ data }: VmAccount) =>
    data.subarray(offset, offset + bytes.length).equals(bytes);
  return { matches, size: null };
}

function memcmpBytes({ bytes, encoding = 'base58' }: Fields): Buffer {
  const known = oneOf(encoding, MEMCMP_ENCODINGS, 'encoding');
  const wanted = Array.isArray(bytes) ? bytesFrom(bytes as unknown[]) : textBytes(bytes, known);
  if (wanted.length <= MEMCMP_BYTES_MAX) return wanted;
  throw invalidParams(`Invalid params: memcmp compares at most ${MEMCMP_BYTES_MAX} bytes`);
}

const isByte = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256;

function bytesFrom(list: readonly unknown[]): Buffer {
  if (!list.every(isByte)) throw invalidParams('Invalid params: bytes are 0 to 255');
  return Buffer.from(list as number[]);
}

function textBytes(text: unknown, encoding: (typeof MEMCMP_ENCODINGS)[number]): Buffer {
  if (typeof text !== 'string') throw invalidParams('Invalid params: memcmp needs bytes');
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  return base58Of(text, 'Invalid params: memcmp bytes are no base58');
}
