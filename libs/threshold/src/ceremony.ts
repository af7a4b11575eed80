import { base64, bytesOfBase64 } from '@tender/transactions';
import { canonicalBytes, isSame, sha256Hex } from './canonical-bytes';
import { CeremonyFault } from './ceremony-fault';
import {
  identityKeyOf,
  messagesOf,
  type CeremonyKind,
  type CeremonyMessages,
  type Said,
} from './ceremony-messages';
import { isPlan, isSelfPlan } from './ceremony-plan';
import { bytes32 } from './group';
import type { Identity } from './identity';
import type { KeyShare } from './key-share';
import type { CeremonyPlan, Round3, Signed } from './messages';
import { FIRST_EPOCH, type Party, type Role } from './parties';
import { Polynomial } from './polynomial';
import { sealForRecovery } from './recovery';
import type { Roster } from './roster';
import { rosterBytes, rosterOf } from './roster-of';
import { signMessage } from './signed-message';

export interface CeremonyOptions {
  readonly role: Role;
  readonly identity: Identity;
  /** Fresh: it tells the messages of this ceremony from those of another. Used twice, the transcripts differ. */
  readonly session: string;
  readonly plan: CeremonyPlan;
  /**
   * X25519, base64: the offline key. R seals its share to it, A and B hold R to it. Null: none, which is enough for a
   * merchant's own wallet, where nothing is sealed.
   */
  readonly recovery_key: string | null;
}

/** What a party has at the end. The share is the caller's now. */
export interface CeremonyResult {
  readonly roster: Roster;
  readonly share: KeyShare;
  /** Ed25519 of the identity key over `rosterBytes`, base64. */
  readonly roster_signature: string;
}

type Step = 'round1' | 'round2' | 'round3' | 'finish' | 'over';

/**
 * One party of the ceremony that makes a key which no process ever holds. Each round is asked for once; what goes wrong
 * ends it, with nothing left. Who carries the messages can stop it, and no more.
 */
export class CeremonyParticipant {
  readonly #options: CeremonyOptions;
  readonly #roles: readonly Role[];
  /** What R seals to; null where the merchant has R. */
  readonly #sealed_to: string | null;
  readonly #polynomial: Polynomial;
  #next: Step = 'round1';
  #round1: Said<'ceremony.begin'> | null = null;
  #round3: Said<'ceremony.round-3'> | null = null;
  #transcript = '';
  #share: KeyShare | null = null;

  constructor(options: CeremonyOptions) {
    const { role, identity, session, plan, recovery_key } = options;
    const own_key = isPlan(plan) && identityKeyOf(plan, role);
    const can_seal = isSelfPlan(plan) || bytes32(recovery_key) !== null;
    if (own_key !== identity.public_key || session === '' || !can_seal) {
      throw new CeremonyFault('dkg_plan_invalid', null);
    }
    this.#options = options;
    this.#roles = plan.parties.map((party) => party.role);
    this.#sealed_to = isSelfPlan(plan) ? null : recovery_key;
    this.#polynomial = new Polynomial(role, session, this.#roles);
  }

  /** To all: the commitment to a fresh polynomial, and proof of knowing its secret. */
  round1(): Said<'ceremony.begin'> {
    return this.#turn('round1', 'round2', () => {
      this.#round1 = this.#say('ceremony.begin', 'all', this.#polynomial.commit());
      return this.#round1;
    });
  }

  /** Takes what all three said in round 1; answers a message for each other party, which it alone can open. */
  round2(given: readonly Signed[]): readonly Said<'ceremony.share'>[] {
    return this.#turn('round2', 'round3', () => {
      const said = this.#heard('ceremony.begin', given, 'all', this.#roles);
      this.#isOwn(said, this.#round1);
      this.#transcript = this.#transcriptOf([...said.values()]);
      const bodies = new Map([...said].map(([role, { message }]) => [role, message.body]));
      const sealed = this.#polynomial.deal(bodies);
      return [...sealed].map(([role, sealed_share]) =>
        this.#say('ceremony.share', role, { transcript: this.#transcript, sealed_share }),
      );
    });
  }

  /** Takes what the two others dealt to this party; answers, to all, the key that it has come to. */
  round3(given: readonly Signed[]): Said<'ceremony.round-3'> {
    return this.#turn('round3', 'finish', () => {
      const { role } = this.#options;
      const others = this.#roles.filter((other) => other !== role);
      const said = this.#heard('ceremony.share', given, role, others);
      const bodies = [...said].map(([from, { message }]) => [from, message.body] as const);
      this.#agreesOnTranscript(bodies);
      const dealt = bodies.map(([from, body]) => [from, bytesOfBase64(body.sealed_share)] as const);
      const { share, verifying_shares } = this.#polynomial.join(new Map(dealt));
      this.#share = share;
      this.#round3 = this.#say('ceremony.round-3', 'all', {
        transcript: this.#transcript,
        group_key: share.wallet,
        commitments: share.commitments,
        verifying_shares,
        recovery: role === 'R' ? recoveryOf(share, this.#sealed_to) : null,
      });
      return this.#round3;
    });
  }

  /** Takes what all three have come to; the address exists from here on. */
  finish(given: readonly Signed[]): CeremonyResult {
    return this.#turn('finish', 'over', () => {
      const said = this.#heard('ceremony.round-3', given, 'all', this.#roles);
      this.#isOwn(said, this.#round3);
      const bodies = [...said].map(([role, { message }]) => [role, message.body] as const);
      this.#agreesOnTranscript(bodies);
      const own = (this.#round3 as Said<'ceremony.round-3'>).message.body;
      for (const [role, body] of bodies) {
        const same = isSame({ ...body, recovery: null }, { ...own, recovery: null });
        if (!same) throw new CeremonyFault('dkg_group_key_mismatch', role);
      }
      const recovery = this.#recoveryIn(new Map(bodies));
      const roster = rosterOf(this.#options.plan, own, recovery);
      const share = this.#share as KeyShare;
      this.#share = null;
      const roster_signature = base64(this.#options.identity.sign(rosterBytes(roster)));
      return { roster, share, roster_signature };
    });
  }

  /** Zeroes what the ceremony knows. The share that `finish` has given away stays. */
  close(): void {
    this.#next = 'over';
    this.#polynomial.erase();
    this.#share?.erase();
    this.#share = null;
  }

  /** One turn: while it is on, and where it fails, the ceremony is over. */
  #turn<Result>(now: Step, next: Step, work: () => Result): Result {
    if (this.#next !== now) throw new CeremonyFault('dkg_out_of_order', null);
    try {
      const result = work();
      this.#next = next;
      if (next === 'over') this.close();
      return result;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #say<Kind extends CeremonyKind>(
    kind: Kind,
    to: Party | 'all',
    body: CeremonyMessages[Kind],
  ): Said<Kind> {
    const { role: from, session, identity } = this.#options;
    return signMessage(identity, { v: 1, kind, session, from, to, epoch: FIRST_EPOCH, body });
  }

  #heard<Kind extends CeremonyKind>(
    kind: Kind,
    given: readonly Signed[],
    to: Role | 'all',
    from: readonly Role[],
  ): ReadonlyMap<Role, Said<Kind>> {
    const { plan, session } = this.#options;
    return messagesOf(given, { kind, plan, session, to, from });
  }

  /** What is said in this party's name must be what it has said: its key could be used elsewhere, too. */
  #isOwn<Kind extends CeremonyKind>(
    said: ReadonlyMap<Role, Said<Kind>>,
    own: Said<Kind> | null,
  ): void {
    if (!isSame(said.get(this.#options.role), own)) {
      throw new CeremonyFault('dkg_transcript_mismatch', null);
    }
  }

  #transcriptOf(round1: readonly Said<'ceremony.begin'>[]): string {
    const { session, plan } = this.#options;
    return sha256Hex(canonicalBytes('tender.ceremony.v1', { session, plan, round1 }));
  }

  #agreesOnTranscript(bodies: readonly (readonly [Role, { readonly transcript: string }])[]): void {
    const agreed = bodies.every(([, { transcript }]) => transcript === this.#transcript);
    if (!agreed) throw new CeremonyFault('dkg_transcript_mismatch', null);
  }

  /** The others have none to show, and R seals to the offline key that this party knows, or nothing. */
  #recoveryIn(bodies: ReadonlyMap<Role, Round3>): Roster['recovery'] {
    for (const [role, { recovery }] of bodies) {
      const sealed_to = role === 'R' ? this.#sealed_to : null;
      if ((recovery?.sealed_to ?? null) !== sealed_to) throw new CeremonyFault('dkg_recovery_mismatch', role);
    }
    return bodies.get('R')?.recovery ?? null;
  }
}

function recoveryOf(share: KeyShare, recovery_key: string | null): Roster['recovery'] {
  if (recovery_key === null) return null;
  const sealed_share = sealForRecovery(share, recovery_key);
  if (sealed_share === null) throw new CeremonyFault('dkg_plan_invalid', null);
  return { sealed_to: recovery_key, sealed_share };
}
