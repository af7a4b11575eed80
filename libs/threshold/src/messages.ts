import type { Operation } from './operation';
import type { Party, Role } from './parties';
import type { ProofMessages } from './proof/proof-messages';
import type { Roster, WalletMode } from './roster';

/** What stands around every message. It is signed whole. */
export interface Envelope<Kind extends string = string, Body = unknown> {
  readonly v: 1;
  readonly kind: Kind;
  /** Of the ceremony or of the signature; for other messages an id of the request. */
  readonly session: string;
  readonly from: Party;
  /** `all`: every party of the session gets the same. */
  readonly to: Party | 'all';
  readonly epoch: number;
  readonly body: Body;
}

export interface Signed<Message extends Envelope = Envelope> {
  readonly message: Message;
  /** Ed25519 of the sender’s identity key over `messageBytes`, base64. */
  readonly signature: string;
}

/** A party of a ceremony, as the others know it. */
export interface CeremonyParty {
  readonly role: Role;
  /** Ed25519, base58. */
  readonly identity_key: string;
}

/** What a ceremony is for; the same for all parties, and part of its transcript. */
export interface CeremonyPlan {
  readonly merchant_id: string;
  readonly mode: WalletMode;
  readonly settlement_wallet: string | null;
  readonly parties: readonly CeremonyParty[];
}

/** Round 1, to all. */
export interface Round1 {
  /** FROST commitments of the polynomial, base64. */
  readonly commitment: readonly string[];
  readonly proof_of_knowledge: string;
  /** X25519, made for this ceremony, base64. */
  readonly seal_key: string;
}
/** Round 2, to each other party: its share of the sender’s polynomial. */
export interface Round2 {
  /** SHA-256 over the plan and every signed message of round 1, hex. */
  readonly transcript: string;
  /** Sealed to the receiver’s `seal_key`, base64; session, sender and receiver are authenticated with it. */
  readonly sealed_share: string;
}
/** Round 3, to all: what this party has ended with. */
export interface Round3 {
  readonly transcript: string;
  /** Base58. */
  readonly group_key: string;
  readonly commitments: readonly string[];
  readonly verifying_shares: Readonly<Partial<Record<Role, string>>>;
  /** Of R of a hosted wallet alone: its share for disasters. */
  readonly recovery: Roster['recovery'] | null;
}

/** A signer’s commitment to the nonces of one signature. */
export interface Commit {
  readonly intent_digest: string;
  /** Base64. */
  readonly hiding: string;
  readonly binding: string;
}
export interface Share {
  readonly intent_digest: string;
  /** Base64. */
  readonly share: string;
}

/** Where an operation stands in a signer’s ledger. */
export type LedgerState = 'reserved' | 'share_out' | 'settled' | 'failed_on_chain' | 'released';

/** What treasury asks a signer, by kind, and what it answers. */
export interface SignerMessages extends ProofMessages {
  'ceremony.begin': { asks: CeremonyPlan; answers: Round1 };
  /** The signed messages of round 1; answers a signed message for each other party. */
  'ceremony.round-2': {
    asks: { readonly round1: readonly Signed<Envelope<'ceremony.begin', Round1>>[] };
    answers: { readonly messages: readonly Signed<Envelope<'ceremony.share', Round2>>[] };
  };
  'ceremony.round-3': {
    asks: { readonly round2: readonly Signed<Envelope<'ceremony.share', Round2>>[] };
    answers: Round3;
  };
  /** All three results: the signer compares them with its own, keeps its share, and signs the roster. */
  'ceremony.finish': {
    asks: { readonly round3: readonly Signed<Envelope<'ceremony.round-3', Round3>>[] };
    answers: { readonly roster: Roster; readonly roster_signature: string };
  };
  /** Judges, reserves, and commits to fresh nonces. The session is that of the signature. */
  propose: { asks: { readonly op: Operation; readonly message: string }; answers: Commit };
  sign: {
    asks: { readonly commits: readonly Signed<Envelope<'propose', Commit>>[] };
    answers: Share;
  };
  /** The signer looks at its own chain and answers where the operation stands in its ledger; null: never reserved. */
  observe: {
    asks: { readonly operation_id: string };
    answers: { readonly state: LedgerState | null };
  };
  freeze: {
    asks: { readonly wallet: string; readonly reason: string };
    answers: { readonly frozen: true };
  };
  describe: {
    asks: { readonly wallet: string };
    answers: {
      readonly frozen: boolean;
      /** USD cents of a day, and of them what is reserved or spent in the last 24 h. */
      readonly day_limit_cents: number;
      readonly day_used_cents: number;
    } | null;
  };
}
export type MessageKind = keyof SignerMessages;

/** The body of an answer of kind `refused`. */
export interface RefusedBody {
  /** A signer’s code (`docs/custody.md`). */
  readonly code: string;
  /** For people; names no secret. */
  readonly reason: string;
  /** The party at fault, where it is known. */
  readonly culprit?: Role;
}

export type Asked<Kind extends MessageKind> = Signed<Envelope<Kind, SignerMessages[Kind]['asks']>>;
export type Answered<Kind extends MessageKind> = Signed<
  Envelope<Kind, SignerMessages[Kind]['answers']> | Envelope<'refused', RefusedBody>
>;
