import { randomBytes } from 'node:crypto';
import { base64 } from '@tender/transactions';
import { CeremonyParticipant, type CeremonyResult } from '../ceremony';
import type { Said } from '../ceremony-messages';
import { identityOf, type Identity } from '../identity';
import type { CeremonyPlan, Signed } from '../messages';
import { ROLES, type Role } from '../parties';
import { recoveryKeyPair } from '../recovery';
import type { SealKeyPair } from '../seal';
import { ofRoles } from './dealt-wallet';

/** The parties of a ceremony in one process, before it begins. */
export interface Table {
  readonly identities: Readonly<Record<Role, Identity>>;
  readonly plan: CeremonyPlan;
  readonly recovery: SealKeyPair;
  readonly participants: Readonly<Record<Role, CeremonyParticipant>>;
}

/** What the carrier of messages makes of them: `to` is who is given these. */
export type Carrier = (given: readonly Signed[], to: Role, round: 2 | 3 | 4) => readonly Signed[];

export function ceremonyTable(
  session = randomBytes(16).toString('hex'),
  identities = ofRoles(() => identityOf(randomBytes(32))),
): Table {
  const recovery = recoveryKeyPair();
  const parties = ROLES.map((role) => ({ role, identity_key: identities[role].public_key }));
  const plan = { merchant_id: 'merchant-1', mode: 'test', settlement_wallet: null, parties } as const;
  const recovery_key = base64(recovery.public_key);
  const participants = ofRoles(
    (role) =>
      new CeremonyParticipant({ role, identity: identities[role], session, plan, recovery_key }),
  );
  return { identities, plan, recovery, participants };
}

const honest: Carrier = (given) => given;

/** Holds the ceremony to its end. */
export function heldCeremony(
  { participants }: Pick<Table, 'participants'>,
  carry: Carrier = honest,
): Readonly<Record<Role, CeremonyResult>> {
  const round1 = ROLES.map((role) => participants[role].round1());
  const dealt = ROLES.flatMap((role) => participants[role].round2(carry(round1, role, 2)));
  const dealtTo = (role: Role): readonly Said<'ceremony.share'>[] =>
    dealt.filter(({ message }) => message.to === role);
  const round3 = ROLES.map((role) => participants[role].round3(carry(dealtTo(role), role, 3)));
  return ofRoles((role) => participants[role].finish(carry(round3, role, 4)));
}
