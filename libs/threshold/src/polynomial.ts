import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@tender/transactions';
import { canonicalBytes } from './canonical-bytes';
import { CeremonyFault } from './ceremony-fault';
import { bytesOf, frost, idOf, isDealt, pointOf, publicKeyOf, SIGNERS, type PublicKey } from './group';
import { keyShare, type KeyShare } from './key-share';
import type { Round1 } from './messages';
import { FIRST_EPOCH, ROLES, type Role } from './parties';
import { seal, sealKeyPair, unseal, type SealedFor, type SealKeyPair } from './seal';

type Dealer = ReturnType<typeof frost.DKG.round1>;
/** What a party has committed to, as the library takes it. */
interface Commitment {
  readonly identifier: string;
  readonly commitment: Uint8Array[];
  readonly proofOfKnowledge: Uint8Array;
}

/** One party's polynomial of a ceremony: what is secret of it, what it deals to the others, and what it was dealt. */
export class Polynomial {
  readonly #role: Role;
  readonly #session: string;
  readonly #roles: readonly Role[];
  readonly #seal: SealKeyPair;
  readonly #dealer: Dealer;
  /** What the others have committed to, as `deal` has taken it. */
  #others = new Map<Role, Round1>();

  /** `roles`: who else is in the ceremony, and this one. */
  constructor(role: Role, session: string, roles: readonly Role[], seal_key = sealKeyPair()) {
    this.#role = role;
    this.#session = session;
    this.#roles = roles;
    this.#seal = seal_key;
    this.#dealer = frost.DKG.round1(idOf(role), SIGNERS);
  }

  commit(): Round1 {
    const { commitment, proofOfKnowledge } = this.#dealer.public;
    return {
      commitment: commitment.map((point) => base64(point)),
      proof_of_knowledge: base64(proofOfKnowledge),
      seal_key: base64(this.#seal.public_key),
    };
  }

  /** The value that each other party gets, sealed to it, base64. Names who has committed to nothing it knows. */
  deal(said: ReadonlyMap<Role, Round1>): ReadonlyMap<Role, string> {
    this.#others = new Map([...said].filter(([role]) => role !== this.#role));
    const values = this.#valuesFor(this.#commitments());
    return new Map(
      [...this.#others.keys()].map((role) => {
        const value = values[idOf(role)] as { readonly signingShare: Uint8Array };
        const sealed = seal(value.signingShare, this.#between(this.#role, role));
        value.signingShare.fill(0);
        if (sealed === null) throw new CeremonyFault('dkg_malformed', role);
        return [role, base64(sealed)];
      }),
    );
  }

  /** The share that the values of all make together. Names who has dealt one that does not fit its commitment. */
  join(dealt: ReadonlyMap<Role, Uint8Array | null>): { share: KeyShare } & PublicKey {
    const values = [...dealt].map(([role, sealed]) => {
      const value = sealed && unseal(sealed, this.#between(role, this.#role));
      if (value === null) throw new CeremonyFault('dkg_share_invalid', role);
      return { role, identifier: idOf(role), signingShare: value };
    });
    try {
      return this.#joined(values);
    } catch {
      const culprit = values.find(
        ({ role, signingShare }) =>
          !isDealt(this.#role, signingShare, (this.#others.get(role) as Round1).commitment),
      );
      throw new CeremonyFault('dkg_share_invalid', culprit?.role ?? null);
    } finally {
      for (const { signingShare } of values) signingShare.fill(0);
    }
  }

  /** Zeroes the polynomial and the key that seals. */
  erase(): void {
    frost.DKG.clean(this.#dealer.secret);
    this.#seal.secret_key.fill(0);
  }

  #commitments(): readonly Commitment[] {
    return [...this.#others].map(([role, { commitment, proof_of_knowledge }]) => ({
      identifier: idOf(role),
      commitment: commitment.map(bytesOf),
      proofOfKnowledge: bytesOf(proof_of_knowledge),
    }));
  }

  #valuesFor(commitments: readonly Commitment[]) {
    try {
      return frost.DKG.round2(this.#dealer.secret, [...commitments]);
    } catch {
      throw faultIn(this.#role, commitments);
    }
  }

  #joined(values: { identifier: string; signingShare: Uint8Array }[]) {
    const key = frost.DKG.round3(this.#dealer.secret, [...this.#commitments()], values);
    const commitments = key.public.commitments.map((point) => base64(point));
    const public_key = publicKeyOf(commitments, this.#roles);
    if (public_key === null) throw new CeremonyFault('dkg_share_invalid', null);
    const { wallet } = public_key;
    const secret = key.secret.signingShare;
    const share = keyShare({ role: this.#role, wallet, epoch: FIRST_EPOCH, secret, commitments });
    return { share, ...public_key };
  }

  #between(from: Role, to: Role): SealedFor {
    const other = (from === this.#role ? to : from) as Role;
    return {
      secret_key: this.#seal.secret_key,
      public_key: bytesOf((this.#others.get(other) as Round1).seal_key),
      salt: utf8ToBytes(this.#session),
      purpose: canonicalBytes('tender.dealt.v1', [this.#session, from, to]),
    };
  }
}

/** The library says that some commitment is wrong, not whose: each is looked at alone. */
function faultIn(role: Role, commitments: readonly Commitment[]): CeremonyFault {
  const roleOf = ({ identifier }: Commitment) =>
    ROLES.find((one) => idOf(one) === identifier) ?? null;
  const no_points = commitments.find(({ commitment }) =>
    commitment.some((point) => pointOf(base64(point)) === null),
  );
  if (no_points) return new CeremonyFault('dkg_malformed', roleOf(no_points));
  const unproven = commitments.find((one) => !isProven(role, one));
  return new CeremonyFault('dkg_proof_invalid', unproven ? roleOf(unproven) : null);
}

/** A polynomial for two, of which this is the other: the library verifies the proof and nothing else. */
function isProven(role: Role, commitment: Commitment): boolean {
  const { secret } = frost.DKG.round1(idOf(role), { ...SIGNERS, max: SIGNERS.min });
  try {
    frost.DKG.round2(secret, [commitment]);
    return true;
  } catch {
    return false;
  } finally {
    frost.DKG.clean(secret);
  }
}
