import { Unavailable, type SignerLink, type Signers } from '@tender/eventing';
import {
  FIRST_EPOCH,
  messageFault,
  ROLES,
  signMessage,
  type Envelope,
  type HostedRole,
  type MessageKind,
  type RefusedBody,
  type Role,
  type Signed,
  type SignerMessages,
} from '@tender/threshold';

/** A holder of a share, as treasury reaches it and knows it again. */
export interface ReachedParty {
  readonly role: Role;
  /** Ed25519, base58. */
  readonly identity_key: string;
  readonly link: SignerLink;
}

/** What a signer does not do, and why. */
export interface SignerRefusal {
  readonly role: Role;
  /** A signer’s code (`docs/custody.md`). */
  readonly code: string;
  /** For people. */
  readonly reason: string;
  /** The party at fault, where it is known. */
  readonly culprit: Role | null;
}

export type AnswerTo<Kind extends MessageKind> = Signed<
  Envelope<Kind, SignerMessages[Kind]['answers']>
>;

export type Asked<Kind extends MessageKind> =
  | { readonly ok: true; readonly answer: AnswerTo<Kind> }
  | { readonly ok: false; readonly refused: SignerRefusal }
  /** Whether it has heard is unknown. */
  | { readonly ok: false; readonly unavailable: true };

/** What came back is not of the signer that was asked, or not its answer to this: whether it has heard is unknown. */
export const ANSWER_NOT_GENUINE = 'answer_not_genuine';

/** Of a ceremony, of a signature, or of one question. */
export interface Session {
  readonly session: string;
  /** Of the shares that are asked for. */
  readonly epoch?: number;
}

/** Asks one of the signers that run. */
export const askSigner = <Kind extends MessageKind>(
  signers: Signers,
  role: HostedRole,
  kind: Kind,
  body: SignerMessages[Kind]['asks'],
  session: Session,
): Promise<Asked<Kind>> => askParty(signers, signerAs(signers, role), kind, body, session);

/** A signer that runs, known by the key that is pinned for it. */
export const signerAs = (signers: Signers, role: HostedRole): ReachedParty => ({
  ...{ role, identity_key: signers.identity_keys[role], link: signers[role] },
});

/** Signs the question, and believes only an answer that the party has signed for this very session. */
export async function askParty<Kind extends MessageKind>(
  { identity }: Pick<Signers, 'identity'>,
  { role, identity_key, link }: ReachedParty,
  kind: Kind,
  body: SignerMessages[Kind]['asks'],
  { session, epoch = FIRST_EPOCH }: Session,
): Promise<Asked<Kind>> {
  const envelope = { v: 1, kind, session, from: 'treasury', to: role, epoch, body } as const;
  const answer = await answerOrNull(link, signMessage(identity, envelope));
  if (answer === null) return { ok: false, unavailable: true };
  const kind_told = answer.message?.kind === 'refused' ? 'refused' : kind;
  // What all parties of a ceremony are to get is written to all.
  const to = answer.message?.to === 'all' ? 'all' : 'treasury';
  const from = { public_key: identity_key, from: role } as const;
  const fault = messageFault(answer, { ...from, kind: kind_told, session, to, epoch });
  if (fault !== null) return { ok: false, refused: notGenuine(role, fault) };
  if (kind_told === 'refused') return { ok: false, refused: refusalOf(role, answer.message.body) };
  return { ok: true, answer: answer as AnswerTo<Kind> };
}

async function answerOrNull(link: SignerLink, message: Signed): Promise<Signed | null> {
  try {
    return (await link.ask(message)) as Signed;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}

const notGenuine = (role: Role, fault: string): SignerRefusal => ({
  role,
  code: ANSWER_NOT_GENUINE,
  reason: `what came as the answer of ${role} is not: ${fault}`,
  culprit: null,
});

const CODE = /^[a-z0-9_]{1,60}$/;
const REASON_MAX = 300;

/** A signer’s own words, cut to what logs and events can hold. */
function refusalOf(role: Role, body: unknown): SignerRefusal {
  const { code, reason, culprit } = (body ?? {}) as Partial<RefusedBody>;
  return {
    role,
    code: typeof code === 'string' && CODE.test(code) ? code : 'unknown',
    reason: typeof reason === 'string' ? reason.slice(0, REASON_MAX) : '',
    culprit: culprit !== undefined && ROLES.includes(culprit) ? culprit : null,
  };
}
