import type { Mode } from '@tender/kernel';
import type { Role } from './parties';

/** Who can use a share. `offline`: sealed to a key that is on no machine of the service. */
export type Holder = 'tender' | 'merchant' | 'offline';

/** A wallet is of one mode, but for a merchant's own, which serves both. */
export type WalletMode = Mode | 'all';

export interface RosterParty {
  readonly role: Role;
  readonly holder: Holder;
  /** Ed25519, base58: what its messages are signed with. */
  readonly identity_key: string;
  /** Its share’s public point, base64. */
  readonly verifying_share: string;
}

/** Whose money is in the wallet. */
export type Beneficiary = 'merchant' | 'customer';

/** Who holds what of one wallet: anyone can compute its address and its custody model from this. Plain JSON. */
export interface Roster {
  readonly v: 1;
  /** The address: the group key, base58. */
  readonly wallet: string;
  readonly merchant_id: string;
  readonly mode: WalletMode;
  readonly beneficiary: Beneficiary;
  readonly epoch: number;
  readonly threshold: number;
  /** Of the joint polynomial, base64: the first is the group key, and every verifying share follows from them. */
  readonly commitments: readonly string[];
  /** A, B, R; of a merchant's own wallet A, C, R. */
  readonly parties: readonly RosterParty[];
  /** The one wallet that a settlement may pay; null while the merchant has none, and in a merchant's own wallet. */
  readonly settlement_wallet: string | null;
  /** The share R, which no machine of the service can open; null where the merchant has it. */
  readonly recovery: {
    /** X25519, base64: the offline key. */
    readonly sealed_to: string;
    /** Base64. */
    readonly sealed_share: string;
  } | null;
}

export interface SignedRoster {
  readonly roster: Roster;
  /** By role: Ed25519 of the identity key over `rosterBytes`, base64. */
  readonly signatures: Readonly<Partial<Record<Role, string>>>;
}

/** `custody_model` of the specification’s wallet answer. */
export type CustodyModel = 'self' | 'shared' | 'operator';
