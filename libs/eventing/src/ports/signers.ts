/** A process that holds a share, as treasury reaches it. Senders sign their messages; this only carries them. */
export interface SignerLink {
  /** Plain JSON both ways. Throws `Unavailable` where no answer came: whether it was heard is unknown. */
  ask(message: unknown): Promise<unknown>;
}

/** A share for disasters is made in a process of its own, which ends after the ceremony. */
export interface RecoveryParty extends SignerLink {
  /** Ed25519, base58: made by this process for this ceremony. */
  readonly identity_key: string;
  end(): Promise<void>;
}

/** The signers of operating wallets, and what makes treasury known to them. */
export interface Signers {
  readonly A: SignerLink;
  readonly B: SignerLink;
  /** The public identity keys that were pinned for them, base58. */
  readonly identity_keys: Readonly<Record<'A' | 'B', string>>;
  /** Treasury’s own identity: signs what it asks. */
  readonly identity: { readonly public_key: string; sign(bytes: Uint8Array): Uint8Array };
  openRecovery(): Promise<RecoveryParty>;
}
