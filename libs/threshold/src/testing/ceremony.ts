import { randomBytes } from 'node:crypto';
import { base64 } from '@tender/transactions';
import { CeremonyParticipant, type CeremonyResult } from '../ceremony';
import type { Said } from '../ceremony-messages';
import { identityOf, type Identity } from '../identity';
import type { CeremonyPlan, Signed } from '../messages';
import { HOSTED_ROLES, SELF_ROLES, type HostedHolder, type Role, type SelfHolder } from '../parties';
import { recoveryKeyPair } from '../recovery';
import type { SealKeyPair } from '../seal';
import { ofEach, ofRoles } from './dealt-wallet';

/** The parties of a ceremony in one process, before it begins. */
export interface Table<Of extends Role = HostedHolder> {
  readonly identities: Readonly<Record<Of, Identity>>;
  readonly plan: CeremonyPlan;
  readonly recovery: SealKeyPair;
  readonly participants: Readonly<Record<Of, CeremonyParticipant>>;
}

/** What the carrier of messages makes of them: `to` is who is given these. */
export type Carrier = (given: readonly Signed[], to: Role, round: 2 | 3 | 4) => readonly Signed[];

export function ceremonyTable(
  session = randomBytes(16).toString('hex'),
  identities = ofRoles(() => identityOf(randomBytes(32))),
): Table {
  return tableOf(HOSTED_ROLES, session, identities, { mode: 'test' });
}

/** Of a merchant's own wallet. */
export function selfTable(session = randomBytes(16).toString('hex')): Table<SelfHolder> {
  const fresh = (): Identity => identityOf(randomBytes(32));
  const identities = { A: fresh(), C: fresh(), R: fresh() };
  return tableOf(SELF_ROLES, session, identities, { mode: 'all' });
}

function tableOf<Of extends Role>(
  roles: readonly Of[],
  session: string,
  identities: Readonly<Record<Of, Identity>>,
  { mode }: Pick<CeremonyPlan, 'mode'>,
): Table<Of> {
  const recovery = recoveryKeyPair();
  const parties = roles.map((role) => ({ role, identity_key: identities[role].public_key }));
  const plan = { merchant_id: 'merchant-1', mode, settlement_wallet: null, parties } as const;
  const recovery_key = base64(recovery.public_key);
  const participants = ofEach(
    roles,
    (role) =>
      new CeremonyParticipant({ role, identity: identities[role], session, plan, recovery_key }),
  );
  return { identities, plan, recovery, participants };
}

const honest: Carrier = (given) => given;

/** Holds the ceremony to its end. */
export function heldCeremony<Of extends Role = HostedHolder>(
  { participants }: Pick<Table<Of>, 'participants'>,
  carry: Carrier = honest,
): Readonly<Record<Of, CeremonyResult>> {
  const roles = Object.keys(participants) as Of[];
  const round1 = roles.map((role) => participants[role].round1());
  const dealt = roles.flatMap((role) => participants[role].round2(carry(round1, role, 2)));
  const dealtTo = (role: Role): readonly Said<'ceremony.share'>[] =>
    dealt.filter(({ message }) => message.to === role);
  const round3 = roles.map((role) => participants[role].round3(carry(dealtTo(role), role, 3)));
  return ofEach(roles, (role) => participants[role].finish(carry(round3, role, 4)));
}
