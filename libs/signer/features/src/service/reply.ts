import type { Envelope, MessageKind, Role, Signed, SignerCode, SignerMessages } from '@tender/threshold';

/** What becomes of a message that treasury has signed. */
export type Reply<Kind extends MessageKind> =
  /** The body of an answer; `to_all`: others than treasury are to read it, too. */
  | { readonly body: SignerMessages[Kind]['answers']; readonly to_all?: boolean }
  /** Signed already: a message of a ceremony, which goes to its parties. */
  | { readonly signed: Signed }
  | Refusal;

export interface Refusal {
  readonly refused: SignerCode;
  readonly reason: string;
  readonly culprit?: Role;
}

/** A refusal; the reason is for people and names no secret. */
export const refuse = (refused: SignerCode, reason: string, culprit?: Role | null): Refusal =>
  culprit ? { refused, reason, culprit } : { refused, reason };

export type Ask<Kind extends MessageKind> = Envelope<Kind, SignerMessages[Kind]['asks']>;
