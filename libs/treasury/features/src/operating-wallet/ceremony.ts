import { Unavailable, type Signers } from '@tender/eventing';
import type {
  CeremonyPlan,
  HostedRole,
  MessageKind,
  Role,
  SignedRoster,
  SignerMessages,
} from '@tender/threshold';
import {
  askParty,
  signerAs,
  type AnswerTo,
  type Asked,
  type ReachedParty,
} from '../signing/ask-signer';
import { agreedRoster } from './agreed-roster';
import { CeremonyFailure } from './ceremony-failure';

/** For whom a key is made. */
export type CeremonySubject = Omit<CeremonyPlan, 'parties'>;

/**
 * Has A, B and R make a key that none of them ever knows, and carries their messages: treasury can stop a ceremony,
 * but not learn a share nor change what is agreed without being noticed (`docs/custody.md`). `begun` runs once all
 * have answered. Throws `CeremonyFailure`, and `Unavailable` where one does not answer.
 */
export async function holdCeremony(
  signers: Signers,
  subject: CeremonySubject,
  session: string,
  begun: () => Promise<void>,
): Promise<SignedRoster> {
  const recovery = await signers.openRecovery();
  try {
    const parties: readonly ReachedParty[] = [
      ...(['A', 'B'] as const satisfies readonly HostedRole[]).map((role) => signerAs(signers, role)),
      { role: 'R', identity_key: recovery.identity_key, link: recovery },
    ];
    const plan: CeremonyPlan = {
      ...subject,
      parties: parties.map(({ role, identity_key }) => ({ role, identity_key })),
    };
    const ask = askAll(signers, parties, session);
    const round1 = await ask('ceremony.begin', () => plan);
    await begun();
    const round2 = sharesIn(await ask('ceremony.round-2', () => ({ round1 })));
    const round3 = await ask('ceremony.round-3', (role) => ({
      round2: round2.filter(({ message }) => message.to === role),
    }));
    return agreedRoster(plan, await ask('ceremony.finish', () => ({ round3 })));
  } finally {
    await recovery.end();
  }
}

/** Asks all at once; which of them comes first makes no difference to what is answered. */
function askAll(
  signers: Pick<Signers, 'identity'>,
  parties: readonly ReachedParty[],
  session: string,
) {
  return async <Kind extends MessageKind>(
    kind: Kind,
    bodyFor: (role: Role) => SignerMessages[Kind]['asks'],
  ): Promise<readonly AnswerTo<Kind>[]> => {
    const asked = await Promise.all(
      parties.map((party) => askParty(signers, party, kind, bodyFor(party.role), { session })),
    );
    throwWhere(asked);
    return asked.flatMap((one) => (one.ok ? [one.answer] : []));
  };
}

/** A party that was started anew, or has too much to do: another ceremony may succeed. */
const PASSING: readonly string[] = ['session_unknown', 'ceremony_busy', 'signer_unavailable'];

/** A refusal that names the party at fault says most. */
function throwWhere(asked: readonly Asked<MessageKind>[]): void {
  const refusals = asked.flatMap((one) => ('refused' in one ? [one.refused] : []));
  const told = refusals.find(({ culprit }) => culprit !== null) ?? refusals[0];
  if (told && !PASSING.includes(told.code)) {
    throw new CeremonyFailure(told.code, told.culprit, `${told.role}: ${told.reason}`);
  }
  if (asked.some(({ ok }) => !ok)) {
    throw new Unavailable('a signer', { reason: told?.code ?? 'it does not answer' });
  }
}

function sharesIn(answers: readonly AnswerTo<'ceremony.round-2'>[]) {
  return answers.flatMap(({ message: { from, body } }) => {
    if (Array.isArray(body?.messages)) return body.messages;
    throw new CeremonyFailure('dkg_malformed', from as Role, 'it has sent no shares');
  });
}
