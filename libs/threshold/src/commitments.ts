import { bytes32, idOf, pointOf } from './group';
import type { Commit } from './messages';
import { ROLES, THRESHOLD, type Role } from './parties';
import { SigningFault } from './signing-fault';

/** What a party says in public of its nonces, base64. */
export type NonceCommitment = Pick<Commit, 'hiding' | 'binding'>;
/** Of each party that signs. */
export type Commitments = Readonly<Partial<Record<Role, NonceCommitment>>>;

/** The commitments of exactly a quorum of holders, as the library takes them. */
export function commitmentList(commits: Commitments) {
  return quorumOf(commits).map((role) => {
    const [hiding, binding] = [bytes32(commits[role]?.hiding), bytes32(commits[role]?.binding)];
    if (hiding === null || binding === null) throw new SigningFault('commitment_invalid', role);
    return { identifier: idOf(role), hiding, binding };
  });
}

/** The roles that commit: the library would sign beside a number that holds no share. */
export function quorumOf(commits: Commitments): readonly Role[] {
  const roles = ROLES.filter((role) => Object.hasOwn(commits, role));
  if (roles.length !== THRESHOLD || Object.keys(commits).length !== THRESHOLD) {
    throw new SigningFault('quorum_member_invalid', null);
  }
  return roles;
}

/** Who committed to what is no point; looked for when the library has refused them together, which costs less. */
export const invalidCommitmentOf = (commits: Commitments): Role | null =>
  ROLES.find((role) => {
    const commit = commits[role];
    return commit && (pointOf(commit.hiding) === null || pointOf(commit.binding) === null);
  }) ?? null;
