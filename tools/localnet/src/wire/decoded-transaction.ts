import bs58 from 'bs58';
import { AddressLookupTableAccount, VersionedTransaction } from '@solana/web3.js';
import type { VersionedMessage } from '@solana/web3.js';
import { MEMO_PROGRAMS } from './token-layout';

/** The largest transaction that fits a packet, in bytes. */
export const WIRE_BYTES_MAX = 1232;
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
const LAMPORTS_PER_SIGNATURE = 5_000n;
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_MAX = 1_400_000;
const MICRO = 1_000_000n;

export interface DecodedTransaction {
  readonly wire: Buffer;
  readonly signature: string;
  readonly transaction: VersionedTransaction;
  readonly message: VersionedMessage;
  readonly staticKeys: readonly string[];
}

/** Throws when the bytes are no transaction. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const transaction = VersionedTransaction.deserialize(bytes);
  const { message } = transaction;
  const first = transaction.signatures[0];
  if (!first || transaction.signatures.length !== message.header.numRequiredSignatures) {
    throw new Error('signature count does not match the message');
  }
  return {
    // A node ignores bytes after the transaction; the VM would not.
    wire: Buffer.from(transaction.serialize()),
    signature: bs58.encode(first),
    transaction,
    message,
    staticKeys: message.staticAccountKeys.map((key) => key.toBase58()),
  };
}

/** Addresses from lookup tables. Null when a table is missing or an index is outside it. */
export function loadedAddresses(
  message: VersionedMessage,
  tableData: (address: string) => Buffer | null,
): { writable: string[]; readonly: string[] } | null {
  const writable: string[] = [];
  const readonly: string[] = [];
  for (const lookup of message.addressTableLookups) {
    const data = tableData(lookup.accountKey.toBase58());
    if (!data) return null;
    const { addresses } = AddressLookupTableAccount.deserialize(data);
    for (const [indexes, list] of [
      [lookup.writableIndexes, writable],
      [lookup.readonlyIndexes, readonly],
    ] as const) {
      for (const index of indexes) {
        const address = addresses[index];
        if (!address) return null;
        list.push(address.toBase58());
      }
    }
  }
  return { writable, readonly };
}

/** Lamports: 5,000 per signature, plus price × limit of the compute budget instructions. */
export function feeOf(message: VersionedMessage): bigint {
  let price = 0n;
  let limit: number | null = null;
  let others = 0;
  for (const { programIdIndex, data } of message.compiledInstructions) {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58();
    if (program !== COMPUTE_BUDGET_PROGRAM) {
      others += 1;
      continue;
    }
    const bytes = Buffer.from(data);
    if (bytes[0] === 2 && bytes.length >= 5) limit = bytes.readUInt32LE(1);
    if (bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  const units = BigInt(Math.min(UNITS_MAX, limit ?? UNITS_PER_INSTRUCTION * others));
  const signatures = BigInt(message.header.numRequiredSignatures);
  return LAMPORTS_PER_SIGNATURE * signatures + (price * units + MICRO - 1n) / MICRO;
}

/** Memos in the form of getSignaturesForAddress: `[5] hello; [2] hi`; null without one. */
export function memosOf({ message, staticKeys }: DecodedTransaction): string | null {
  const memos = message.compiledInstructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.includes(staticKeys[programIdIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString()}`);
  return memos.length ? memos.join('; ') : null;
}
