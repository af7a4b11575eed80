import { base64, bytesOfBase64, hasSigned } from '@tender/transactions';
import { canonicalBytes } from './canonical-bytes';
import { hasShape, isText, type Check } from './has-shape';
import type { Identity } from './identity';
import type { Envelope, Signed } from './messages';
import { PARTIES, type Party } from './parties';

/** The bytes that are signed of a message. */
export const messageBytes = (envelope: Envelope): Uint8Array =>
  canonicalBytes('tender.message.v1', envelope);

/** Signs what the envelope holds now. */
export const signMessage = <Message extends Envelope>(
  identity: Identity,
  message: Message,
): Signed<Message> => ({ message, signature: base64(identity.sign(messageBytes(message))) });

const isParty = (value: unknown): boolean => (PARTIES as readonly unknown[]).includes(value);

const ENVELOPE: Readonly<Record<keyof Envelope, Check>> = {
  v: (value) => value === 1,
  kind: isText,
  session: isText,
  from: isParty,
  to: (value) => value === 'all' || isParty(value),
  epoch: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  body: (value) => value !== undefined,
};
const isEnvelope: Check = (value) => hasShape(value, ENVELOPE);
const SIGNED: Readonly<Record<keyof Signed, Check>> = { message: isEnvelope, signature: isText };

/** Whether the owner of the key has signed this message. False for all that is malformed; never throws. */
export function isSignedBy(signed: Signed, public_key: string): boolean {
  try {
    if (!hasShape(signed, SIGNED)) return false;
    const signature = bytesOfBase64(signed.signature);
    return (
      signature !== null && hasSigned(public_key, messageBytes(signed.message), signature)
    );
  } catch {
    // No JSON, or no text: not signed by anyone.
    return false;
  }
}

/** What a message must be for the one who reads it. */
export interface Expected {
  readonly public_key: string;
  readonly kind: string;
  readonly session: string;
  readonly from: Party;
  readonly to: Party | 'all';
  readonly epoch: number;
}
export type MessageFault =
  | 'bad_signature'
  | 'wrong_sender'
  | 'wrong_kind'
  | 'wrong_session'
  | 'wrong_receiver'
  | 'wrong_epoch';

/** Why a message is not the one that is expected; null where it is. Only what is signed is looked at further. */
export function messageFault(signed: Signed, expected: Expected): MessageFault | null {
  if (!isSignedBy(signed, expected.public_key)) return 'bad_signature';
  const { message } = signed;
  if (message.from !== expected.from) return 'wrong_sender';
  if (message.session !== expected.session) return 'wrong_session';
  if (message.kind !== expected.kind) return 'wrong_kind';
  if (message.to !== expected.to) return 'wrong_receiver';
  return message.epoch === expected.epoch ? null : 'wrong_epoch';
}
