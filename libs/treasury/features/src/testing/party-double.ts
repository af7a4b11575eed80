import { randomBytes } from 'node:crypto';
import { Unavailable, type SignerLink } from '@tender/eventing';
import {
  CeremonyFault,
  CeremonyParticipant,
  commitNonces,
  FIRST_EPOCH,
  identityOf,
  intentDigest,
  isSignedBy,
  shareOf,
  signMessage,
  type CeremonyPlan,
  type Commit,
  type Commitments,
  type Envelope,
  type Identity,
  type KeyShare,
  type Nonces,
  type Operation,
  type RefusedBody,
  type HostedHolder,
  type Signed,
} from '@tender/threshold';

type Body = never;
interface Session {
  readonly op: Operation;
  readonly message: Uint8Array;
  readonly nonces: Nonces;
}

/**
 * A holder of a share as treasury meets it: the real ceremony and the real signatures, without a ledger, a chain or
 * a policy of its own. It keeps what a process would never show.
 */
export class PartyDouble implements SignerLink {
  readonly identity: Identity = identityOf(randomBytes(32));
  readonly shares = new Map<string, KeyShare>();
  readonly frozen = new Set<string>();
  /** All that came and went, as it was on the wire. */
  readonly wire: string[] = [];
  is_down = false;
  /** What it says in place of an answer, by kind. */
  readonly refuses = new Map<string, RefusedBody>();
  private readonly ceremonies = new Map<string, CeremonyParticipant>();
  private readonly sessions = new Map<string, Session>();

  constructor(
    readonly role: HostedHolder,
    private readonly parts: { readonly treasury_key: string; readonly recovery_key: string },
  ) {}

  async ask(asked: unknown): Promise<Signed> {
    if (this.is_down) throw new Unavailable(`signer ${this.role}`);
    const { message } = asked as Signed;
    expect(isSignedBy(asked as Signed, this.parts.treasury_key)).toBe(true);
    expect(message).toMatchObject({ v: 1, from: 'treasury', to: this.role, epoch: FIRST_EPOCH });
    const answer = this.answer(message);
    this.wire.push(JSON.stringify(asked), JSON.stringify(answer));
    // As it comes over the wire.
    return JSON.parse(JSON.stringify(answer)) as Signed;
  }

  /** Signs what it says, whatever it is. */
  says(about: Pick<Envelope, 'kind' | 'session'>, body: unknown, to: 'all' | 'treasury' = 'treasury'): Signed {
    const { kind, session } = about;
    return signMessage(this.identity, {
      ...{ v: 1, kind, session, from: this.role, to, epoch: FIRST_EPOCH, body },
    });
  }

  private answer(message: Envelope): Signed {
    const { kind, session, body } = message;
    const refused = this.refuses.get(kind);
    if (refused) return this.says({ kind: 'refused', session }, refused);
    try {
      if (kind.startsWith('ceremony.')) return this.inCeremony(message);
      return this.says(message, this.answerTo(message, body as Body), kind === 'propose' ? 'all' : 'treasury');
    } catch (error) {
      if (!(error instanceof CeremonyFault)) throw error;
      const { code, culprit } = error;
      const told = { code, reason: 'not as it must be', ...(culprit ? { culprit } : {}) };
      return this.says({ kind: 'refused', session }, told);
    }
  }

  private inCeremony(message: Envelope): Signed {
    const { kind, session } = message;
    const body = message.body as Readonly<Record<string, readonly Signed[]>>;
    if (kind === 'ceremony.begin') {
      const { role, identity } = this;
      const { recovery_key } = this.parts;
      const plan = message.body as CeremonyPlan;
      const participant = new CeremonyParticipant({ role, identity, session, plan, recovery_key });
      this.ceremonies.set(session, participant);
      return participant.round1();
    }
    const participant = this.ceremonies.get(session);
    if (!participant) return this.says({ kind: 'refused', session }, { code: 'session_unknown', reason: '' });
    if (kind === 'ceremony.round-2') {
      return this.says(message, { messages: participant.round2(body['round1'] ?? []) });
    }
    if (kind === 'ceremony.round-3') return participant.round3(body['round2'] ?? []);
    const { roster, share, roster_signature } = participant.finish(body['round3'] ?? []);
    this.shares.set(roster.wallet, share);
    return this.says(message, { roster, roster_signature });
  }

  private answerTo({ kind, session }: Envelope, body: Body): unknown {
    if (kind === 'propose') return this.propose(session, body);
    if (kind === 'sign') return this.sign(session, body);
    if (kind !== 'freeze') throw new Error(`the double knows no ${kind}`);
    this.frozen.add((body as { readonly wallet: string }).wallet);
    return { frozen: true };
  }

  private propose(
    session: string,
    { op, message: text }: { readonly op: Operation; readonly message: string },
  ): Commit {
    const message = Buffer.from(text, 'base64');
    const { nonces, commit } = commitNonces(this.shares.get(op.wallet) as KeyShare);
    this.sessions.set(session, { op, message, nonces });
    return { intent_digest: intentDigest(op, message), ...commit };
  }

  private sign(
    session: string,
    { commits }: { readonly commits: readonly Signed<Envelope<'propose', Commit>>[] },
  ): { readonly intent_digest: string; readonly share: string } {
    const { op, message, nonces } = this.sessions.get(session) as Session;
    const commitments = Object.fromEntries(
      commits.map(({ message: { from, body } }) => [from, body]),
    ) as Commitments;
    const share = shareOf(this.shares.get(op.wallet) as KeyShare, nonces, commitments, message);
    return { intent_digest: intentDigest(op, message), share };
  }
}
