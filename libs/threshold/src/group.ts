import { createFROST } from '@noble/curves/abstract/frost.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { base58, base64, bytesOfBase64, KEY_BYTES } from '@tender/transactions';
import type { Check } from './has-shape';
import type { KeyShare } from './key-share';
import { NUMBER_OF, ROLES, SHARES, THRESHOLD, type Role } from './parties';

/** Of RFC 9591, section 6.1: what its hashes begin with. */
const SUITE = 'FROST-ED25519-SHA512-v1';

/**
 * FROST(Ed25519, SHA-512) of RFC 9591, and the key generation of its authors. The library's own `ed25519_FROST` looks
 * twice whether a point is in the prime-order group, which is most of what a signature costs; this looks once.
 */
export const frost = createFROST({ name: SUITE, Point: ed25519.Point, hash: sha512, H2: '' });
export type Point = InstanceType<typeof ed25519.Point>;
export type PublicKeyPackage = Parameters<typeof frost.aggregate>[0];

export const SIGNERS = { min: THRESHOLD, max: SHARES };

/** How the library names a party. */
export const idOf = (role: Role): string => frost.Identifier.fromNumber(NUMBER_OF[role]);

/** 32 bytes of base64, in its one usual form; null for all else. */
export function bytes32(text: unknown): Uint8Array | null {
  const bytes = typeof text === 'string' && text.length < 64 ? bytesOfBase64(text) : null;
  return bytes?.length === KEY_BYTES ? bytes : null;
}
export const is32Bytes: Check = (value) => bytes32(value) !== null;

/** A point that came from outside: on the curve, in its one encoding, in the prime-order group, not the identity. */
export function pointOf(text: unknown): Point | null {
  const bytes = bytes32(text);
  if (bytes === null) return null;
  try {
    const point = ed25519.Point.fromBytes(bytes);
    return !point.is0() && point.isTorsionFree() ? point : null;
  } catch {
    return null;
  }
}

/** What can be computed of a key without a secret, from the commitments of its polynomial. */
export interface PublicKey<Of extends Role = Role> {
  /** The group key, base58. */
  readonly wallet: string;
  /** The point of each share, base64. */
  readonly verifying_shares: Readonly<Record<Of, string>>;
}

/**
 * With the shares of these. Null where the commitments are not `THRESHOLD` points, or lead to a share that is the
 * identity.
 */
export function publicKeyOf<Of extends Role>(
  commitments: readonly string[],
  roles: readonly Of[],
): PublicKey<Of> | null {
  const points = commitments.map(pointOf);
  if (points.length !== THRESHOLD || points.includes(null)) return null;
  const shares = roles.map((role) => [role, valueAt(points as Point[], NUMBER_OF[role])] as const);
  if (shares.some(([, share]) => share.is0())) return null;
  const verifying_shares = Object.fromEntries(
    shares.map(([role, share]) => [role, base64(share.toBytes())]),
  ) as Record<Of, string>;
  return { wallet: base58((points[0] as Point).toBytes()), verifying_shares };
}

/** The polynomial's point at a small number, by additions alone. */
const valueAt = (points: readonly Point[], number: number): Point =>
  points.reduceRight((sum, point) => {
    let times = ed25519.Point.ZERO;
    for (let count = 0; count < number; count += 1) times = times.add(sum);
    return times.add(point);
  }, ed25519.Point.ZERO);

/** Of what was looked at before; of other text no bytes, which the library takes for no point. */
export const bytesOf = (text: string): Uint8Array => bytesOfBase64(text) ?? new Uint8Array();

/** A key as the library takes it. Verifying shares are only looked at where one party's share is verified. */
export function packageOf(
  commitments: readonly string[],
  verifying_shares: Partial<Record<Role, string>> = {},
): PublicKeyPackage {
  return {
    signers: SIGNERS,
    commitments: commitments.map(bytesOf),
    verifyingShares: Object.fromEntries(
      ROLES.map((role) => [idOf(role), bytesOf(verifying_shares[role] ?? '')]),
    ),
  };
}

/** Whether a share is the one that the commitments give to its party, and they are those of its wallet. */
export function fitsKey({ role, wallet, secret, commitments }: KeyShare): boolean {
  return publicKeyOf(commitments, [role])?.wallet === wallet && isDealt(role, secret, commitments);
}

/** Whether a scalar is the value that a polynomial of these commitments has for a party. */
export function isDealt(role: Role, scalar: Uint8Array, commitments: readonly string[]): boolean {
  try {
    frost.validateSecret({ identifier: idOf(role), signingShare: scalar }, packageOf(commitments));
    return true;
  } catch {
    return false;
  }
}
