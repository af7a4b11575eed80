import { randomBytes } from 'node:crypto';
import { relayCeremony, signerAIdentity, type RelayedStep } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { done, refuse } from '@tender/kernel';
import {
  CeremonyFault,
  CeremonyParticipant,
  FIRST_EPOCH,
  identityOf,
  signMessage,
  type CeremonyPlan,
  type KeyShare,
  type Signed,
} from '@tender/threshold';

/** Signer A as treasury lets accounts ask it: the real ceremony, in memory. */
export class SignerADouble {
  readonly identity = identityOf(randomBytes(32));
  /** By wallet: what it keeps. */
  readonly shares = new Map<string, KeyShare>();
  is_silent = false;
  /** What a hacked treasury or gateway makes of an answer. */
  answers: (answer: Signed, step: RelayedStep) => Signed = (answer) => answer;
  private readonly ceremonies = new Map<string, CeremonyParticipant>();

  listen({ calls }: Pick<Runtime, 'calls'>): void {
    calls.answer(signerAIdentity, async () => ({ identity_key: this.identity.public_key }));
    calls.answer(relayCeremony, async (step) => {
      if (this.is_silent) throw new Unavailable('signer A');
      if (step.step !== 'begin' && !this.ceremonies.has(step.session)) return refuse('ceremony_unknown');
      try {
        const answer = this.answers(this.answerTo(step), step);
        return done({ answer: JSON.parse(JSON.stringify(answer)) as unknown });
      } catch (error) {
        if (!(error instanceof CeremonyFault)) throw error;
        this.ceremonies.delete(step.session);
        return refuse('ceremony_failed', { code: error.code });
      }
    });
  }

  /** Its process was started anew. */
  forget(): void {
    this.ceremonies.clear();
  }

  private answerTo({ session, step, body }: RelayedStep): Signed {
    if (step === 'begin') {
      const { identity } = this;
      const plan = body as CeremonyPlan;
      const begun = new CeremonyParticipant({ role: 'A', identity, session, plan, recovery_key: null });
      this.ceremonies.set(session, begun);
      return begun.round1();
    }
    const party = this.ceremonies.get(session) as CeremonyParticipant;
    const said = body as Readonly<Record<string, readonly Signed[]>>;
    if (step === 'round-2') return this.says(session, 'ceremony.round-2', { messages: party.round2(said['round1']!) });
    if (step === 'round-3') return party.round3(said['round2']!);
    const { roster, share, roster_signature } = party.finish(said['round3']!);
    this.shares.set(roster.wallet, share);
    this.ceremonies.delete(session);
    return this.says(session, 'ceremony.finish', { roster, roster_signature });
  }

  private says(session: string, kind: string, body: unknown): Signed {
    const about = { v: 1, kind, session, from: 'A', to: 'treasury', epoch: FIRST_EPOCH } as const;
    return signMessage(this.identity, { ...about, body });
  }
}
