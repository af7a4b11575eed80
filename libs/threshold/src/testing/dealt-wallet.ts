import { randomBytes } from 'node:crypto';
import { base58, base64 } from '@tender/transactions';
import { frost, idOf, publicKeyOf, SIGNERS } from '../group';
import { identityOf, type Identity } from '../identity';
import { keyShare, type KeyShare } from '../key-share';
import { FIRST_EPOCH, HOSTED_ROLES, THRESHOLD, type HostedHolder, type Role } from '../parties';
import type { Roster } from '../roster';
import { rosterBytes } from '../roster-of';

/** A wallet of a test, with what its parties hold. */
export interface DealtWallet {
  readonly roster: Roster;
  /** Of all three over the roster. */
  readonly signatures: Readonly<Record<HostedHolder, string>>;
  readonly shares: Readonly<Record<HostedHolder, KeyShare>>;
  readonly identities: Readonly<Record<HostedHolder, Identity>>;
}

/** One value for each of these. */
export const ofEach = <Of extends Role, Value>(
  roles: readonly Of[],
  make: (role: Of) => Value,
): Readonly<Record<Of, Value>> =>
  Object.fromEntries(roles.map((role) => [role, make(role)])) as Record<Of, Value>;

/** One value for each role of a hosted wallet. */
export const ofRoles = <Value>(
  make: (role: HostedHolder) => Value,
): Readonly<Record<HostedHolder, Value>> => ofEach(HOSTED_ROLES, make);

/**
 * A wallet whose shares a test has dealt: in the program a ceremony makes them, and no process ever knows the key.
 */
export function dealtWallet(
  changes: Partial<Roster> = {},
  identities = ofRoles(() => identityOf(randomBytes(32))),
): DealtWallet {
  const dealt = frost.trustedDealer(SIGNERS, HOSTED_ROLES.map(idOf));
  const commitments = dealt.public.commitments.map(base64);
  const wallet = base58(dealt.public.commitments[0] as Uint8Array);
  const { verifying_shares } = publicKeyOf(commitments, HOSTED_ROLES)!;
  const roster: Roster = {
    v: 1,
    wallet,
    merchant_id: 'merchant-1',
    mode: 'test',
    beneficiary: 'merchant',
    epoch: FIRST_EPOCH,
    threshold: THRESHOLD,
    commitments,
    parties: HOSTED_ROLES.map((role) => ({
      role,
      holder: role === 'R' ? 'offline' : 'tender',
      identity_key: identities[role].public_key,
      verifying_share: verifying_shares[role],
    })),
    settlement_wallet: null,
    recovery: { sealed_to: base64(randomBytes(32)), sealed_share: base64(randomBytes(96)) },
    ...changes,
  };
  const shares = ofRoles((role) =>
    keyShare({
      role,
      wallet,
      epoch: roster.epoch,
      secret: dealt.secretShares[idOf(role)]!.signingShare,
      commitments,
    }),
  );
  const signatures = ofRoles((role) => base64(identities[role].sign(rosterBytes(roster))));
  return { roster, signatures, shares, identities };
}
