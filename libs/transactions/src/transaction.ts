import { base58, isSigned, SIGNATURE_BYTES } from './address';
import { ByteReader, lengthBytes, Malformed } from './byte-reader';
import { readMessage, type Message } from './message';

/** What fits into a packet; a longer one no node takes. */
export const TRANSACTION_BYTES_MAX = 1_232;

/** A transaction, read from its bytes. */
export interface Transaction {
  /** As many as there are signers, in their order; zeros where one has not signed. */
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
  /** What is signed. */
  readonly message_bytes: Uint8Array;
}

/** Reads untrusted bytes; null where they are no transaction that the chain would take. */
export function readTransaction(wire: Uint8Array): Transaction | null {
  if (wire.length > TRANSACTION_BYTES_MAX) return null;
  try {
    const reader = new ByteReader(wire);
    const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
    const message_bytes = reader.rest();
    const message = readMessage(message_bytes);
    return signatures.length === message.signers.length
      ? { signatures, message, message_bytes }
      : null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** Base64 in its one usual form, or null: what has other characters, or bits to spare, is refused. */
export function bytesOfBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null;
}

/** Reads a transaction as clients send it. */
export function transactionOfBase64(text: string): Transaction | null {
  // Four characters hold three bytes: longer text is not decoded.
  if (text.length > 4 * Math.ceil(TRANSACTION_BYTES_MAX / 3)) return null;
  const wire = bytesOfBase64(text);
  return wire === null ? null : readTransaction(wire);
}

/** The bytes that are sent; `signatures` by the signer's address, zeros for who has not signed. */
export function transactionBytes(
  message_bytes: Uint8Array,
  signatures: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array {
  const { signers } = readMessage(message_bytes);
  const blank = new Uint8Array(SIGNATURE_BYTES);
  const all = signers.map((signer) => signatures[signer] ?? blank);
  return Uint8Array.from(
    Buffer.concat([Buffer.from(lengthBytes(all.length)), ...all, message_bytes]),
  );
}

/** The base64 of bytes. */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** What the chain knows a transaction by: the signature of its fee payer. Null while that one has not signed. */
export function transactionSignature({ signatures }: Transaction): string | null {
  const first = signatures[0] as Uint8Array;
  return isSigned(first) ? base58(first) : null;
}
