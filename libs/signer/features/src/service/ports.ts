import type { Clock, Mode } from '@tender/kernel';
import type { HostedRole, Identity, KeyEncryption } from '@tender/threshold';
import type { ApprovalOrigin, Rules } from '@tender/signer-domain';
import type { Pool } from 'pg';
import type { SignerChain } from '../chain/signer-chain';

/** Structured lines. What is logged names no body of a message. */
export interface SignerLog {
  info(fields: object, what: string): void;
  warn(fields: object, what: string): void;
  error(fields: object, what: string): void;
}

const silent = (): void => undefined;
/** Of a party that has nowhere to say anything. */
export const SILENT: SignerLog = { info: silent, warn: silent, error: silent };

/** What one signer stands on. */
export interface SignerParts {
  readonly role: HostedRole;
  readonly identity: Identity;
  /** Pinned, base58. */
  readonly treasury_identity: string;
  readonly peer_identity: string;
  /** Pinned: the offline key that every share R is sealed to, X25519, base64. */
  readonly recovery_key: string;
  readonly kek: KeyEncryption;
  readonly ledger: Pool;
  readonly chains: Readonly<Record<Mode, SignerChain>>;
  readonly rules: Readonly<Record<Mode, Rules>>;
  /** Where merchants use their signing passkeys: no proof from another page is taken. */
  readonly approval: ApprovalOrigin;
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: SignerLog;
}

export const peerOf = (role: HostedRole): HostedRole => (role === 'A' ? 'B' : 'A');
