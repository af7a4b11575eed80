import { randomBytes } from 'node:crypto';
import { base58 } from '../address';
import { readMessage } from '../message';
import { signerOf, type Signer } from '../signatures';
import { transactionBytes } from '../transaction';

/** A wallet of a test: the same one for the same number. */
export const testWallet = (seed: number): Signer => signerOf(Buffer.alloc(32, seed));

/** One that no other test has. */
export const freshTestWallet = (): Signer => signerOf(randomBytes(32));

/** Some address that no test has the key of. */
export const someAddress = (seed: number): string => base58(new Uint8Array(32).fill(seed, 0, 31));

/** The message with the signatures of those wallets that it asks for. */
export function signedBy(message: Uint8Array, ...wallets: readonly Signer[]): Uint8Array {
  const { signers } = readMessage(message);
  const signing = wallets.filter(({ address }) => signers.includes(address));
  return transactionBytes(
    message,
    Object.fromEntries(signing.map((wallet) => [wallet.address, wallet.sign(message)])),
  );
}
