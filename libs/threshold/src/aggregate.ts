import { hasSigned } from '@tender/transactions';
import { commitmentList, invalidCommitmentOf, quorumOf, type Commitments } from './commitments';
import { bytes32, frost, idOf, packageOf, publicKeyOf } from './group';
import type { Role } from './parties';
import { ShareInvalid, SigningFault } from './signing-fault';

/** The public part of a key, such as a roster. */
export interface SignedFor {
  /** Base58. */
  readonly wallet: string;
  /** Base64. */
  readonly commitments: readonly string[];
}
/** Of each party that committed, base64. */
export type Shares = Readonly<Partial<Record<Role, string>>>;

/** The signature of the wallet, 64 bytes, as the chain verifies it. Names the first party whose share is none. */
export function aggregate(
  key: SignedFor,
  commits: Commitments,
  shares: Shares,
  message: Uint8Array,
): Uint8Array {
  const list = commitmentList(commits);
  const scalars = scalarsOf(quorumOf(commits), shares);
  try {
    const signature = frost.aggregate(packageOf(key.commitments), list, message, scalars);
    if (hasSigned(key.wallet, message, signature)) return signature;
  } catch {
    // Whose fault it is, is asked below: the library has looked at all of them together.
  }
  throw faultOf(key, commits, list, message, scalars);
}

type Scalars = Readonly<Record<string, Uint8Array>>;

/** By the library's name of a party. */
const scalarsOf = (roles: readonly Role[], shares: Shares): Scalars =>
  Object.fromEntries(
    roles.map((role) => {
      const scalar = bytes32(shares[role]);
      if (scalar === null) throw new ShareInvalid(role);
      return [idOf(role), scalar];
    }),
  );

function faultOf(
  key: SignedFor,
  commits: Commitments,
  list: ReturnType<typeof commitmentList>,
  message: Uint8Array,
  scalars: Scalars,
): SigningFault {
  const committed = invalidCommitmentOf(commits);
  if (committed) return new SigningFault('commitment_invalid', committed);
  const quorum = quorumOf(commits);
  const public_key = publicKeyOf(key.commitments, quorum);
  if (public_key === null) return new SigningFault('key_invalid', null);
  const whole = packageOf(key.commitments, public_key.verifying_shares);
  const culprit = quorum.find((role) => {
    const id = idOf(role);
    try {
      return !frost.verifyShare(whole, list, message, id, scalars[id] as Uint8Array);
    } catch {
      // No scalar below the order of the group.
      return true;
    }
  });
  return culprit ? new ShareInvalid(culprit) : new SigningFault('key_invalid', null);
}
