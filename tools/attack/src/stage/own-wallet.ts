import { randomBytes, randomUUID } from 'node:crypto';
import {
  CeremonyParticipant, identityOf, type CeremonyPlan, type Identity, type RefusedBody,
  type Roster, type Signed,
} from '@tender/threshold';
import { freshSession, type TreasuryDouble } from './treasury-double';

type Merchants = Readonly<Record<'C' | 'R', Identity>>;

/** A plan for a merchant’s own wallet, with parties that are nowhere unless their identities are said. */
export function planOfOwn(
  identity_of_a: string,
  changes: Partial<CeremonyPlan> = {},
  { C, R }: Merchants = freshMerchants(),
): CeremonyPlan {
  const keys = { A: identity_of_a, C: C.public_key, R: R.public_key };
  const parties = (['A', 'C', 'R'] as const).map((role) => ({ role, identity_key: keys[role] }));
  return { merchant_id: randomUUID(), mode: 'all', settlement_wallet: null, parties, ...changes };
}

export const freshMerchants = (): Merchants => {
  const fresh = (): Identity => identityOf(randomBytes(32));
  return { C: fresh(), R: fresh() };
};

/** What A is brought of the merchant’s messages of a round. */
export type OwnCarrier = (
  round: 'round1' | 'round2' | 'round3',
  said: readonly Signed[],
) => readonly Signed[];

const honest: OwnCarrier = (_, said) => said;

/** Holds the ceremony of a merchant’s own wallet with A; C and R are in this process. Throws the code of a refusal. */
export async function openOwnWallet(
  treasury: TreasuryDouble,
  identity_of_a: string,
  merchants = freshMerchants(),
  carry: OwnCarrier = honest,
): Promise<Roster> {
  const session = freshSession();
  const plan = planOfOwn(identity_of_a, {}, merchants);
  const parties = (['C', 'R'] as const).map(
    (role) =>
      new CeremonyParticipant({
        ...{ role, session, plan, identity: merchants[role], recovery_key: null },
      }),
  );
  const ask = async (kind: string, body: unknown): Promise<Signed> => {
    const answer = await treasury.ask('A', kind, body, session);
    const { code, culprit } = answer.message.body as RefusedBody;
    if (answer.message.kind === 'refused') throw new Error(culprit ? `${code} by ${culprit}` : code);
    return answer;
  };
  const first = await ask('ceremony.begin', plan);
  const round1 = [first, ...parties.map((party) => party.round1())];
  const dealt_by_a = await ask('ceremony.round-2', { round1: carry('round1', round1) });
  const dealt = [
    ...(dealt_by_a.message.body as { messages: readonly Signed[] }).messages,
    ...parties.flatMap((party) => party.round2(round1)),
  ];
  const dealtTo = (role: string) => dealt.filter(({ message }) => message.to === role);
  const of_a = await ask('ceremony.round-3', { round2: carry('round2', dealtTo('A')) });
  const round3 = [
    of_a,
    ...parties.map((party, place) => party.round3(dealtTo(place === 0 ? 'C' : 'R'))),
  ];
  const finished = await ask('ceremony.finish', { round3: carry('round3', round3) });
  return (finished.message.body as { roster: Roster }).roster;
}
