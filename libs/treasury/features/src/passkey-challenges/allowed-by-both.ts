import type { ErrorCode } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import {
  HOSTED_QUORUM,
  type Proof,
  type ProofMessages,
  type SignedRoster,
  type SignerCode,
} from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';
import { askSigner } from '../signing/ask-signer';
import { readProof } from './read-proof';

/** What clients see of a signer’s refusal; of all other codes, that the signers cannot do it now. */
const SEEN = {
  passkey_signature_malformed: [400, 'passkey_signature has not the form of a proof.'],
  passkey_required: [403, 'The signers know no passkey of yours. Register one on the set-up page.'],
  passkey_unknown_credential: [403, 'The signers know no such passkey of yours.'],
  passkey_invalid: [403, 'The proof is not by that passkey, or was made on another page.'],
  user_verification_required: [403, 'The passkey has not made sure who uses it.'],
  passkey_operation_mismatch: [403, 'The proof allows something else. Ask for a challenge of this operation.'],
  passkey_challenge_expired: [403, 'The challenge has expired. Ask for another one.'],
  passkey_challenge_consumed: [409, 'The challenge was used before. Ask for another one.'],
  passkey_last: [409, 'It is the last passkey that the signers know of you. Let another one in first.'],
} as const satisfies Partial<Record<SignerCode, readonly [number, string]>>;
type SeenCode = keyof typeof SEEN;

/** Codes of signers that clients see by another name. */
const NAMED = {
  passkeys_too_many: [422, 'too_many_passkeys', 'The signers know as many passkeys of you as they keep.'],
  passkey_pinned_otherwise: [409, 'passkey_exists', 'The signers know a passkey of this id with another owner or key.'],
} as const satisfies Partial<Record<SignerCode, readonly [number, ErrorCode, string]>>;

/** The proof in a request; throws 400. */
export function proofIn(passkey_signature: object): Proof {
  const proof = readProof(passkey_signature);
  if (proof === null) throw refused('passkey_signature_malformed');
  return proof;
}

/** What a signer does where a passkey of the merchant allows it. */
type AllowedKind = keyof ProofMessages;

interface Whose {
  /** For the log: the wallet, or the merchant. */
  readonly of: string;
  /** Of the wallet’s shares. */
  readonly epoch?: number;
}

/** Both signers do it to a wallet. Throws as `allowedByBoth` does. */
export const allowedToWallet = <Kind extends 'unfreeze' | 'limit'>(
  runtime: Ports,
  { address, roster }: Pick<OpenWallet, 'address' | 'roster'>,
  kind: Kind,
  body: ProofMessages[Kind]['asks'],
): Promise<void> =>
  allowedByBoth(runtime, { of: address, epoch: (roster as SignedRoster).roster.epoch }, kind, body);

type Ports = Pick<Runtime, 'signers' | 'random' | 'log'>;

/**
 * Has both signers do what a passkey of the merchant allows. Throws what one of them has refused, as the client sees
 * it, and 503 where one is silent: the same proof, sent again, finishes what it has begun.
 */
export async function allowedByBoth<Kind extends AllowedKind>(
  { signers, random, log }: Ports,
  { of, epoch }: Whose,
  kind: Kind,
  body: ProofMessages[Kind]['asks'],
): Promise<void> {
  if (signers === null) throw new Unavailable('the signers');
  const session = { session: random.uuid(), ...(epoch !== undefined && { epoch }) };
  const asked = await Promise.all(
    HOSTED_QUORUM.map((role) => askSigner<AllowedKind>(signers, role, kind, body, session)),
  );
  for (const [index, answer] of asked.entries()) {
    if (!answer.ok) log.warn({ of, kind, role: HOSTED_QUORUM[index], ...answer }, 'a signer has not done what was asked');
  }
  for (const answer of asked) {
    if (!answer.ok && 'refused' in answer) throwSeen(answer.refused.code);
  }
  if (asked.some(({ ok }) => !ok)) throw new Unavailable('the signers');
}

function throwSeen(code: string): void {
  if (Object.hasOwn(SEEN, code)) throw refused(code as SeenCode);
  if (Object.hasOwn(NAMED, code)) {
    const [status, name, message] = NAMED[code as keyof typeof NAMED];
    throw new ApiError(status, name, message);
  }
}

const refused = (code: SeenCode): ApiError => {
  const [status, message] = SEEN[code];
  return new ApiError(status, code, message);
};
