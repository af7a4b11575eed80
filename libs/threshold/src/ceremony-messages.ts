import { bytesOfBase64, SIGNATURE_BYTES } from '@tender/transactions';
import { CeremonyFault, type CeremonyCode } from './ceremony-fault';
import { is32Bytes } from './group';
import { hasShape, isText, listOf, type Check } from './has-shape';
import type { CeremonyPlan, Envelope, Round1, Round2, Round3, Signed } from './messages';
import { FIRST_EPOCH, THRESHOLD, type Role } from './parties';
import { messageFault, type MessageFault } from './signed-message';

/** The messages of each round. */
export interface CeremonyMessages {
  'ceremony.begin': Round1;
  'ceremony.share': Round2;
  'ceremony.round-3': Round3;
}
export type CeremonyKind = keyof CeremonyMessages;
export type Said<Kind extends CeremonyKind> = Signed<Envelope<Kind, CeremonyMessages[Kind]>>;

const isProofOfKnowledge: Check = (value) =>
  typeof value === 'string' && bytesOfBase64(value)?.length === SIGNATURE_BYTES;

type Bodies = { [Kind in CeremonyKind]: Readonly<Record<keyof CeremonyMessages[Kind], Check>> };

const bodiesOf = ({ parties }: CeremonyPlan): Bodies => ({
  'ceremony.begin': {
    commitment: listOf(THRESHOLD, is32Bytes),
    proof_of_knowledge: isProofOfKnowledge,
    seal_key: is32Bytes,
  },
  'ceremony.share': { transcript: isText, sealed_share: isText },
  'ceremony.round-3': {
    transcript: isText,
    group_key: isText,
    commitments: listOf(THRESHOLD, is32Bytes),
    verifying_shares: (value) =>
      hasShape(value, Object.fromEntries(parties.map(({ role }) => [role, is32Bytes]))),
    recovery: (value) =>
      value === null || hasShape(value, { sealed_to: is32Bytes, sealed_share: isText }),
  },
});

const CODES: Readonly<Record<MessageFault, CeremonyCode>> = {
  bad_signature: 'dkg_bad_signature',
  wrong_session: 'dkg_wrong_session',
  wrong_sender: 'dkg_unexpected_message',
  wrong_kind: 'dkg_unexpected_message',
  wrong_receiver: 'dkg_unexpected_message',
  wrong_epoch: 'dkg_unexpected_message',
};

/** What a round takes. */
export interface Round<Kind extends CeremonyKind> {
  readonly kind: Kind;
  readonly plan: CeremonyPlan;
  readonly session: string;
  readonly to: Role | 'all';
  readonly from: readonly Role[];
}

/** One message of each sender, in the order of roles; throws where the carrier has brought anything else. */
export function messagesOf<Kind extends CeremonyKind>(
  given: readonly Signed[],
  { kind, plan, session, to, from }: Round<Kind>,
): ReadonlyMap<Role, Said<Kind>> {
  if (!Array.isArray(given) || given.length !== from.length) {
    throw new CeremonyFault('dkg_incomplete', null);
  }
  const shape = bodiesOf(plan)[kind];
  return new Map(
    from.map((role) => {
      const said = given.find((one) => (one as Partial<Signed> | null)?.message?.from === role);
      if (said === undefined) throw new CeremonyFault('dkg_incomplete', null);
      const who = { public_key: identityKeyOf(plan, role), from: role, to };
      const fault = messageFault(said, { ...who, kind, session, epoch: FIRST_EPOCH });
      if (fault) throw new CeremonyFault(CODES[fault], null);
      if (!hasShape(said.message.body, shape)) throw new CeremonyFault('dkg_malformed', role);
      return [role, said as Said<Kind>];
    }),
  );
}

/** Empty where the role is not in the plan. */
export const identityKeyOf = ({ parties }: CeremonyPlan, role: Role): string =>
  parties.find((party) => party.role === role)?.identity_key ?? '';
