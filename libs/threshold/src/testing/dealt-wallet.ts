import { randomBytes } from 'node:crypto';
import { base58, base64 } from '@tender/transactions';
import { frost, idOf, publicKeyOf, SIGNERS } from '../group';
import { identityOf, type Identity } from '../identity';
import { keyShare, type KeyShare } from '../key-share';
import { FIRST_EPOCH, ROLES, THRESHOLD, type Role } from '../parties';
import type { Roster, SignedRoster } from '../roster';
import { rosterBytes } from '../roster-of';

/** A wallet of a test, with what its parties hold. */
export interface DealtWallet {
  readonly roster: Roster;
  /** Of all three over the roster. */
  readonly signatures: SignedRoster['signatures'];
  readonly shares: Readonly<Record<Role, KeyShare>>;
  readonly identities: Readonly<Record<Role, Identity>>;
}

/** One value for each role. */
export const ofRoles = <Value>(make: (role: Role) => Value): Readonly<Record<Role, Value>> => ({
  A: make('A'),
  B: make('B'),
  R: make('R'),
});

/**
 * A wallet whose shares a test has dealt: in the program a ceremony makes them, and no process ever knows the key.
 */
export function dealtWallet(
  changes: Partial<Roster> = {},
  identities = ofRoles(() => identityOf(randomBytes(32))),
): DealtWallet {
  const dealt = frost.trustedDealer(SIGNERS, ROLES.map(idOf));
  const commitments = dealt.public.commitments.map(base64);
  const wallet = base58(dealt.public.commitments[0] as Uint8Array);
  const { verifying_shares } = publicKeyOf(commitments)!;
  const roster: Roster = {
    v: 1,
    wallet,
    merchant_id: 'merchant-1',
    mode: 'test',
    beneficiary: 'merchant',
    epoch: FIRST_EPOCH,
    threshold: THRESHOLD,
    commitments,
    parties: ROLES.map((role) => ({
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
