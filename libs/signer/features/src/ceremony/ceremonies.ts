import {
  CeremonyFault,
  CeremonyParticipant,
  isSelfPlan,
  type CeremonyResult,
  type Identity,
  type Role,
} from '@tender/threshold';
import { refuse, type Ask, type Refusal, type Reply } from '../service/reply';
import { strangerIn } from './stranger-in';

/** A ceremony is three rounds of milliseconds; what takes longer was given up by treasury. */
const CEREMONY_MS = 60_000;
/**
 * Each costs tens of milliseconds of a processor, and at most so many are under way. Merchants who make their own
 * wallets have places of their own, one each: a browser that goes away keeps no operating wallet from being made.
 */
const CEREMONIES_MAX = { hosted: 4, self: 16 };
type Kind = keyof typeof CEREMONIES_MAX;

export interface CeremonySettings {
  readonly role: Role;
  readonly identity: Identity;
  /** The identity keys that are pinned, by role. */
  readonly pinned: Readonly<Partial<Record<Role, string>>>;
  /** Pinned: the offline key that R seals its share to, X25519, base64. */
  readonly recovery_key: string;
  /** Makes a share last, before the others hear that the wallet exists. */
  keep(result: CeremonyResult): Promise<void>;
  readonly clock: { wall(): number };
}

interface Open {
  readonly kind: Kind;
  /** Who makes its own wallet in it; null for an operating wallet. */
  readonly maker: string | null;
  readonly participant: CeremonyParticipant;
  readonly ends_ms: number;
}

/**
 * The ceremonies that this party takes part in. What they stand on is in memory alone: one that is not finished leaves
 * nothing behind.
 */
export class Ceremonies {
  private readonly open = new Map<string, Open>();

  constructor(private readonly settings: CeremonySettings) {}

  async begin({ session, body: plan }: Ask<'ceremony.begin'>): Promise<Reply<'ceremony.begin'>> {
    const { role, identity, pinned, recovery_key, clock } = this.settings;
    const now_ms = clock.wall();
    this.dropEnded(now_ms);
    if (this.open.has(session)) return refuse('session_used', 'a session is for one ceremony');
    const kind = isSelfPlan(plan) ? 'self' : 'hosted';
    const maker = kind === 'self' ? plan.merchant_id : null;
    const replaced = maker && this.madeBy(maker);
    if (replaced === null && this.isFull(kind)) {
      return refuse('ceremony_busy', 'too many ceremonies are under way');
    }
    const stranger = strangerIn(plan, pinned);
    if (stranger !== null) {
      return refuse('dkg_plan_invalid', `the identity of ${stranger} is not the one that is pinned`);
    }
    return this.named(session, () => {
      const participant = new CeremonyParticipant({ role, identity, session, plan, recovery_key });
      // A merchant who begins its own wallet again has given up what it began before.
      if (replaced !== null) this.end(replaced);
      this.open.set(session, { kind, maker, participant, ends_ms: now_ms + CEREMONY_MS });
      return { signed: participant.round1() };
    });
  }

  round2({ session, body }: Ask<'ceremony.round-2'>): Promise<Reply<'ceremony.round-2'>> {
    return this.step(session, (participant) => ({
      body: { messages: participant.round2(body?.round1) },
    }));
  }

  round3({ session, body }: Ask<'ceremony.round-3'>): Promise<Reply<'ceremony.round-3'>> {
    return this.step(session, (participant) => ({ signed: participant.round3(body?.round2) }));
  }

  finish({ session, body }: Ask<'ceremony.finish'>): Promise<Reply<'ceremony.finish'>> {
    return this.step(session, async (participant) => {
      const { roster, share, roster_signature } = participant.finish(body?.round3);
      try {
        await this.settings.keep({ roster, share, roster_signature });
        return { body: { roster, roster_signature } };
      } finally {
        share.erase();
        this.end(session);
      }
    });
  }

  /** The session in which a merchant makes its own wallet. */
  private madeBy(merchant_id: string): string | null {
    const [session = null] = [...this.open].find(([, { maker }]) => maker === merchant_id) ?? [];
    return session;
  }

  private isFull(kind: Kind): boolean {
    const open = [...this.open.values()].filter((one) => one.kind === kind);
    return open.length >= CEREMONIES_MAX[kind];
  }

  /** Forgets, with their secrets, the ceremonies that were not finished in time. */
  dropEnded(now_ms: number): void {
    for (const [session, { ends_ms }] of this.open) if (now_ms > ends_ms) this.end(session);
  }

  private async step<Answer>(
    session: string,
    take: (participant: CeremonyParticipant) => Answer | Promise<Answer>,
  ): Promise<Answer | Refusal> {
    this.dropEnded(this.settings.clock.wall());
    const open = this.open.get(session);
    if (!open) return refuse('session_unknown', 'this process is in no such ceremony, or it is over');
    return this.named(session, () => take(open.participant));
  }

  /** A ceremony with a fault is over: its parties begin another. */
  private async named<Answer>(
    session: string,
    work: () => Answer | Promise<Answer>,
  ): Promise<Answer | Refusal> {
    try {
      return await work();
    } catch (error) {
      this.end(session);
      if (!(error instanceof CeremonyFault)) throw error;
      return refuse(error.code, 'a message of the ceremony is not what it must be', error.culprit);
    }
  }

  private end(session: string): void {
    this.open.get(session)?.participant.close();
    this.open.delete(session);
  }
}
