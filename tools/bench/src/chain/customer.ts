import { generateKeyPairSync, sign } from 'node:crypto';
import bs58 from 'bs58';
import { clientAddress } from '../load/client-address';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** One who pays: a wallet of its own, from an address of its own. */
export class Customer {
  private readonly keys = generateKeyPairSync('ed25519');
  readonly wallet = bs58.encode(
    this.keys.publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES),
  );

  constructor(private readonly number: number) {}

  /** As a proxy in front of the program says it. */
  get headers(): Readonly<Record<string, string>> {
    return { 'x-forwarded-for': clientAddress(this.number) };
  }

  /** The transaction with this customer as its one signer, base64 as it came. */
  signed(transaction: string): string {
    const bytes = Buffer.from(transaction, 'base64');
    const message = bytes.subarray(1 + SIGNATURE_BYTES);
    sign(null, message, this.keys.privateKey).copy(bytes, 1);
    return bytes.toString('base64');
  }
}
