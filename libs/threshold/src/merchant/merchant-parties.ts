import { randomBytes } from '@noble/hashes/utils.js';
import { CeremonyParticipant, type CeremonyResult } from '../ceremony';
import { CeremonyFault } from '../ceremony-fault';
import { isSame } from '../canonical-bytes';
import { identityKeyOf } from '../ceremony-messages';
import { isSelfPlan } from '../ceremony-plan';
import { identityOf, type Identity } from '../identity';
import type { KeyShare } from '../key-share';
import type { CeremonyPlan, Signed } from '../messages';
import { MERCHANT_QUORUM, type Role } from '../parties';
import type { Roster, SignedRoster } from '../roster';
import { rosterFault } from '../roster-fault';

type Merchants = (typeof MERCHANT_QUORUM)[number];
type Of<Value> = Readonly<Record<Merchants, Value>>;

const both = <Value>(make: (role: Merchants) => Value): Of<Value> => ({
  C: make('C'),
  R: make('R'),
});
const listed = <Value>({ C, R }: Of<Value>): readonly [Value, Value] => [C, R];

function freshIdentity(): Identity {
  const seed = randomBytes(32);
  const identity = identityOf(seed);
  seed.fill(0);
  return identity;
}

/** What the merchant has at the end. The shares are the caller's now: it keeps them, and erases them. */
export interface MerchantResult {
  readonly roster: Roster;
  /** Over the roster, base64. */
  readonly signatures: Of<string>;
  readonly shares: Of<KeyShare>;
}

/**
 * Both of the merchant's parties of the ceremony that makes its own wallet, in its browser. What goes to the server is
 * what it carries to A, and no more. Each round is asked for once; a fault is a `CeremonyFault`, and ends it.
 */
export class MerchantParties {
  readonly #identities = both(freshIdentity);
  #parties: Of<CeremonyParticipant> | null = null;
  #plan: CeremonyPlan | null = null;
  #round1: readonly Signed[] = [];
  #dealt: readonly Signed[] = [];
  #round3: readonly Signed[] = [];

  /** For the plan, base58. */
  identityKeys(): Of<string> {
    return both((role) => this.#identities[role].public_key);
  }

  /** What C and R say first. The plan must be one for this merchant's own wallet, with these two parties. */
  round1(session: string, plan: CeremonyPlan, merchant_id: string): readonly Signed[] {
    if (this.#parties !== null) throw new CeremonyFault('dkg_out_of_order', null);
    if (!isSelfPlan(plan) || plan.merchant_id !== merchant_id) {
      throw new CeremonyFault('dkg_plan_invalid', null);
    }
    this.#plan = plan;
    this.#parties = both(
      (role) =>
        new CeremonyParticipant({
          ...{ role, session, plan, identity: this.#identities[role], recovery_key: null },
        }),
    );
    this.#round1 = listed(this.#parties).map((party) => party.round1());
    return this.#round1;
  }

  /** Takes what A has said first; answers what C and R deal to A. */
  round2(said_by_a: Signed): readonly Signed[] {
    const said = [said_by_a, ...this.#round1];
    this.#dealt = this.#each((party) => party.round2(said)).flat();
    return this.#dealtTo('A');
  }

  /** Takes what A has dealt to C and to R; answers, to all, the key that both have come to. */
  round3(dealt_by_a: readonly Signed[]): readonly Signed[] {
    if (!Array.isArray(dealt_by_a)) throw this.#ended(new CeremonyFault('dkg_incomplete', null));
    const from_a = (role: Role) => dealt_by_a.filter((one) => one?.message?.to === role);
    this.#round3 = this.#each((party, role) =>
      party.round3([...from_a(role), ...this.#dealtTo(role)]),
    );
    return this.#round3;
  }

  /** Takes the key that A has come to. There is an address once `confirmed` holds, too. */
  finish(round3_of_a: Signed): MerchantResult {
    const said = [round3_of_a, ...this.#round3];
    const [C, R] = this.#each((party) => party.finish(said)) as readonly [
      CeremonyResult,
      CeremonyResult,
    ];
    return {
      roster: C.roster,
      signatures: { C: C.roster_signature, R: R.roster_signature },
      shares: { C: C.share, R: R.share },
    };
  }

  /** The roster with all three signatures, once A has ended with the same one and has signed it. */
  confirmed(
    { roster, signatures }: MerchantResult,
    finished_by_a: { readonly roster: Roster; readonly roster_signature: string },
  ): SignedRoster {
    const signed = { roster, signatures: { A: finished_by_a.roster_signature, ...signatures } };
    const same = isSame(finished_by_a.roster ?? null, roster) && rosterFault(signed) === null;
    if (!same) throw new CeremonyFault('dkg_group_key_mismatch', 'A');
    return signed;
  }

  /** The identity key of A in the plan, base58: it must be the one that Tender publishes. Empty before the plan. */
  identityOfTender(): string {
    return this.#plan === null ? '' : identityKeyOf(this.#plan, 'A');
  }

  /** Forgets what is secret of a ceremony that was not finished. */
  close(): void {
    if (this.#parties) for (const party of listed(this.#parties)) party.close();
  }

  #dealtTo(role: Role): readonly Signed[] {
    return this.#dealt.filter(({ message }) => message.to === role);
  }

  #each<Value>(take: (party: CeremonyParticipant, role: Merchants) => Value): readonly Value[] {
    try {
      return MERCHANT_QUORUM.map((role) => {
        const party = this.#parties?.[role];
        if (!party) throw new CeremonyFault('dkg_out_of_order', null);
        return take(party, role);
      });
    } catch (error) {
      throw this.#ended(error);
    }
  }

  #ended(fault: unknown): unknown {
    this.close();
    return fault;
  }
}
