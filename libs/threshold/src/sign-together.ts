import { aggregate } from './aggregate';
import type { NonceCommitment } from './commitments';
import type { KeyShare } from './key-share';
import type { Nonces } from './nonces';
import { commitNonces, shareOf } from './sign';

/** What each of two parties has committed to, with its nonces. */
export function committedBy(...shares: readonly KeyShare[]): {
  readonly nonces: Readonly<Record<string, Nonces>>;
  readonly commits: Readonly<Record<string, NonceCommitment>>;
} {
  const made = shares.map((share) => [share.role, commitNonces(share)] as const);
  return {
    nonces: Object.fromEntries(made.map(([role, { nonces }]) => [role, nonces])),
    commits: Object.fromEntries(made.map(([role, { commit }]) => [role, commit])),
  };
}

/**
 * The signature of a wallet by two shares in one process: those of its merchant, C and R, on the merchant's machine.
 * Signers never have two.
 */
export function signedTogether(
  shares: readonly [KeyShare, KeyShare],
  message: Uint8Array,
): Uint8Array {
  const { nonces, commits } = committedBy(...shares);
  const given = shares.map((share) => [
    share.role,
    shareOf(share, nonces[share.role] as Nonces, commits, message),
  ]);
  return aggregate(shares[0], commits, Object.fromEntries(given), message);
}
