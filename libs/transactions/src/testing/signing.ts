import { createPrivateKey, sign } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { base58, keyBytes } from '../address';
import { readMessage } from '../message';
import { transactionBytes } from '../transaction';

/** A wallet of a test. */
export interface TestWallet {
  readonly address: string;
  sign(message: Uint8Array): Uint8Array;
}

const DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The same one for the same number. */
export function testWallet(seed: number): TestWallet {
  const secret = Buffer.alloc(32, seed);
  const key = createPrivateKey({
    key: Buffer.concat([DER_PREFIX, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    address: Keypair.fromSeed(secret).publicKey.toBase58(),
    sign: (message) => sign(null, message, key),
  };
}

/** Some address that no test has the key of. */
export const someAddress = (seed: number): string => base58(new Uint8Array(32).fill(seed, 0, 31));

/** The message with the signatures of those wallets that it asks for. */
export function signedBy(message: Uint8Array, ...wallets: readonly TestWallet[]): Uint8Array {
  const { signers } = readMessage(message);
  const signing = wallets.filter(({ address }) => signers.includes(address));
  return transactionBytes(
    message,
    Object.fromEntries(signing.map((wallet) => [wallet.address, wallet.sign(message)])),
  );
}

/** 32 bytes as they are, of an address that is known to be one. */
export const rawKey = (address: string): Buffer => Buffer.from(keyBytes(address) as Uint8Array);
