import type { Role } from './parties';

/** What the console of Node asks for; a name of no meaning in browsers. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** One party's share of a wallet's key. Only its public part shows in JSON, in logs and in text. */
export interface KeyShare {
  readonly role: Role;
  /** The address: the group key, base58. */
  readonly wallet: string;
  readonly epoch: number;
  /** A scalar of 32 bytes. */
  readonly secret: Uint8Array;
  /** Of the joint polynomial, base64. */
  readonly commitments: readonly string[];
  /** Zeroes the secret. Copies that the engine has made of it while it was used may remain. */
  erase(): void;
}

/** A share that keeps the given bytes as its own, and zeroes them with `erase`. */
export const keyShare = (share: Omit<KeyShare, 'erase'>): KeyShare => new HeldShare(share);

class HeldShare implements KeyShare {
  readonly role: Role;
  readonly wallet: string;
  readonly epoch: number;
  readonly commitments: readonly string[];
  readonly #secret: Uint8Array;

  constructor({ role, wallet, epoch, secret, commitments }: Omit<KeyShare, 'erase'>) {
    this.role = role;
    this.wallet = wallet;
    this.epoch = epoch;
    this.commitments = [...commitments];
    this.#secret = secret;
  }

  get secret(): Uint8Array {
    return this.#secret;
  }

  erase(): void {
    this.#secret.fill(0);
  }

  toJSON(): object {
    const { role, wallet, epoch } = this;
    return { role, wallet, epoch };
  }

  toString(): string {
    return `[share ${this.role} of ${this.wallet}]`;
  }

  [INSPECT](): string {
    return this.toString();
  }
}
