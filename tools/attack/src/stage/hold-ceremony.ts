import {
  HOSTED_QUORUM, HOSTED_ROLES, type CeremonyPlan, type HostedRole, type RefusedBody, type Role,
  type Roster, type Signed,
} from '@tender/threshold';
import { planOf } from './ceremony-plan';
import type { RecoveryDouble } from './recovery-double';
import { freshSession, type TreasuryDouble } from './treasury-double';

/** What is brought to a party in place of the body that it should get. */
export type Carrier = (role: Role, kind: string, body: never, session: string) => unknown;

export interface CeremonyCast {
  readonly identity_keys: Readonly<Record<HostedRole, string>>;
  readonly plan: Partial<CeremonyPlan>;
  readonly recovery: RecoveryDouble;
  readonly carry?: Carrier;
  readonly session?: string;
}

/** Who has refused to go on, and why. */
export class CeremonyRefused extends Error {
  constructor(readonly refusals: Readonly<Partial<Record<Role, RefusedBody>>>) {
    const said = Object.entries(refusals).map(([role, { code }]) => `${role}: ${code}`);
    super(said.join(', '));
  }
}

/** Carries the messages of a ceremony, or whatever else the carrier brings in their place. */
export async function holdCeremony(treasury: TreasuryDouble, cast: CeremonyCast): Promise<Roster> {
  const { identity_keys, plan, recovery, carry = (_role, _kind, body) => body } = cast;
  const session = cast.session ?? freshSession();
  const whole = planOf(identity_keys, plan, recovery.identity_key);
  const askAll = async (kind: string, bodyOf: (role: Role) => unknown): Promise<Signed[]> => {
    const asked = HOSTED_ROLES.map((role) => {
      const body = carry(role, kind, bodyOf(role) as never, session);
      return role === 'R'
        ? recovery.ask(treasury.signed(role, kind, body, session))
        : treasury.ask(role, kind, body, session);
    });
    return allSaid(await Promise.allSettled(asked));
  };
  try {
    const round1 = await askAll('ceremony.begin', () => whole);
    const round2 = (await askAll('ceremony.round-2', () => ({ round1 }))).flatMap(
      ({ message }) => (message.body as { messages: Signed[] }).messages,
    );
    const round3 = await askAll('ceremony.round-3', (role) => ({
      round2: round2.filter(({ message }) => message.to === role),
    }));
    const [finished] = await askAll('ceremony.finish', () => ({ round3 }));
    return ((finished as Signed).message.body as { roster: Roster }).roster;
  } catch (error) {
    await giveUp(treasury, session);
    throw error;
  }
}

function allSaid(results: readonly PromiseSettledResult<Signed>[]): Signed[] {
  const answers = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const refusals = HOSTED_ROLES.flatMap((role, place) => {
    const { kind, body } = (answers[place] as Signed).message;
    return kind === 'refused' ? [[role, body as RefusedBody] as const] : [];
  });
  if (refusals.length > 0) throw new CeremonyRefused(Object.fromEntries(refusals));
  return answers;
}

/** A signer takes part in few ceremonies at once: a message that it refuses ends one. */
export async function giveUp(treasury: TreasuryDouble, session: string): Promise<void> {
  for (const role of HOSTED_QUORUM) {
    await treasury.post(role, treasury.signed(role, 'ceremony.round-2', { round1: null }, session));
  }
}
