import { randomBytes } from 'node:crypto';
import { peerOf } from '@tender/signer-features';
import {
  identityOf, signMessage, type Envelope, type HostedRole, type Identity,
  type RefusedBody, type Role, type Signed,
} from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { freshRecoveryKey } from '../stage/battlefield';
import {
  CeremonyRefused, giveUp, holdCeremony, type Carrier, type CeremonyCast,
} from '../stage/hold-ceremony';
import { recoveryDouble } from '../stage/recovery-double';
import { freshSession } from '../stage/treasury-double';
import { planOf } from '../stage/ceremony-plan';
import type { Target } from '../stage/target';

/** Whom an attack is on, with R’s identity, which is treasury’s. */
interface At {
  readonly role: HostedRole;
  readonly R: Identity;
}
type Round = 'round1' | 'round2' | 'round3';
const KINDS = { round1: 'ceremony.round-2', round2: 'ceremony.round-3', round3: 'ceremony.finish' };

/** One signer is brought another list of a round than the others. */
const brought =
  (round: Round, change: (said: readonly Signed[], at: At) => readonly unknown[]) =>
  (at: At): Carrier =>
  (role, kind, body: Record<Round, readonly Signed[]>) =>
    role === at.role && kind === KINDS[round] ? { [round]: change(body[round], at) } : body;

const from = (said: readonly Signed[], role: Role): Signed =>
  said.find(({ message }) => message.from === role) as Signed;
const instead = (said: readonly Signed[], other: Signed): readonly Signed[] =>
  said.map((one) => (one.message.from === other.message.from ? other : one));
/** What R has said, with another body, and signed by R. */
const ofR = (change: object, about: Partial<Envelope> = {}) =>
  (said: readonly Signed[], { R }: At): readonly Signed[] => {
    const { message } = from(said, 'R');
    const body = { ...(message.body as object), ...change };
    return instead(said, signMessage(R, { ...message, ...about, body }));
  };
const bytes = (length: number): string => randomBytes(length).toString('base64');

/** What a ceremony ends with at one signer: its code, and the party at fault where it is named. */
async function wordOfCeremony(
  { field }: Target,
  { role, R }: At,
  cast: Partial<CeremonyCast>,
): Promise<string> {
  const recovery = cast.recovery ?? recoveryDouble(field.recovery_key, R);
  const { identity_keys, treasury } = field;
  try {
    const { wallet } = await holdCeremony(treasury, { identity_keys, plan: {}, ...cast, recovery });
    return `the wallet ${wallet} was published`;
  } catch (error) {
    if (!(error instanceof CeremonyRefused)) throw error;
    const { [role]: refusal, ...others } = error.refusals;
    return refusal ? named(refusal) : `no refusal, but ${Object.keys(others).join()} has refused`;
  }
}
const named = ({ code, culprit }: RefusedBody): string => (culprit ? `${code} by ${culprit}` : code);

const spoiled = (expects: string, name: string, carry: (at: At) => Carrier): Row => [
  ...([expects, name] as const),
  (target) =>
    atEach((role) => {
      const at = { role, R: identityOf(randomBytes(32)) };
      return wordOfCeremony(target, at, { carry: carry(at) });
    }),
];

const SPOILED: readonly Row[] = [
  spoiled('dkg_bad_signature', 'a message of the peer edited', brought('round1', (said, { role }) => {
    const { message, signature } = from(said, peerOf(role));
    const body = { ...(message.body as object), seal_key: bytes(32) };
    return instead(said, { message: { ...message, body }, signature });
  })),
  spoiled('dkg_incomplete', 'a party missing', brought('round1', (said) => said.slice(0, 2))),
  spoiled('dkg_incomplete', 'a party in the place of another', brought('round1', (said, { role }) => [
    ...[from(said, role), from(said, role), from(said, 'R')],
  ])),
  spoiled('dkg_incomplete', 'no list', () => (_role, kind, body) =>
    kind === KINDS.round1 ? {} : body,
  ),
  spoiled('dkg_transcript_mismatch', 'two different first messages of R', brought('round1',
    ofR({ seal_key: bytes(32) }))),
  spoiled('dkg_malformed by R', 'a first message of another form', brought('round1',
    ofR({ seal_key: bytes(31) }))),
  spoiled('dkg_malformed by R', 'a first message that commits to nothing', brought('round1',
    ofR({ commitment: null }))),
  spoiled('dkg_malformed by R', 'a key of R that opens without a secret', brought('round1',
    ofR({ seal_key: Buffer.alloc(32).toString('base64') }))),
  spoiled('dkg_proof_invalid by R', 'a commitment to what R does not know', brought('round1',
    ofR({ proof_of_knowledge: bytes(64) }))),
  spoiled('dkg_unexpected_message', 'a share that is for the other signer', brought('round2',
    (said, at) => ofR({}, { to: peerOf(at.role) })(said, at))),
  spoiled('dkg_share_invalid by R', 'a share of R that does not open', brought('round2',
    ofR({ sealed_share: bytes(60) }))),
  spoiled('dkg_group_key_mismatch by R', 'another key as the result of R', brought('round3',
    ofR({ commitments: [bytes(32), bytes(32)] }))),
];

/** What the peer, or the signer itself, has said in another ceremony. */
const REPLAYED: readonly Row[] = [
  [
    'dkg_recovery_mismatch by R',
    'the share for disasters sealed to another key',
    (target) =>
      atEach((role) => {
        const R = identityOf(randomBytes(32));
        const recovery = recoveryDouble(freshRecoveryKey(), R);
        return wordOfCeremony(target, { role, R }, { recovery });
      }),
  ],
  [
    'dkg_wrong_session',
    'a first message of the peer from another ceremony',
    (target) =>
      atEach(async (role) => {
        const [R, old] = [identityOf(randomBytes(32)), await saidBefore(target, peerOf(role))];
        const carry = brought('round1', (said) => instead(said, old))({ role, R });
        return wordOfCeremony(target, { role, R }, { carry });
      }),
  ],
  [
    'dkg_transcript_mismatch',
    'the own first message from an earlier ceremony of the same session',
    (target) =>
      atEach(async (role) => {
        const [R, session] = [identityOf(randomBytes(32)), freshSession()];
        const old = await saidBefore(target, role, session);
        // To all, so that none of them is told something else than the others.
        const carry: Carrier = (_, kind, body: { round1: readonly Signed[] }) =>
          kind === KINDS.round1 ? { round1: instead(body.round1, old) } : body;
        return wordOfCeremony(target, { role, R }, { carry, session });
      }),
  ],
];

/** The first message of a ceremony that went no further. */
async function saidBefore(
  { field: { treasury, identity_keys } }: Target,
  role: HostedRole,
  session = freshSession(),
): Promise<Signed> {
  const said = await treasury.ask(role, 'ceremony.begin', planOf(identity_keys), session);
  await giveUp(treasury, session);
  return said;
}

export const onCeremonies: readonly Attack[] = ofArea('ceremonies', ...SPOILED, ...REPLAYED);
