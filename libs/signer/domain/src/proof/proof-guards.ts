import { sha256Hex, type SignerCode } from '@tender/threshold';
import { brokenGuard, guard, type Guard } from '../guard';
import { seenProof, type ProofRequest, type SeenProof } from './seen-proof';

/** A challenge lives two minutes; a minute more, for clocks that differ. */
const LIFETIME_MS_MAX = 180_000;

const rpIdHash = (rp_id: string): string => sha256Hex(new TextEncoder().encode(rp_id));

/** What holds of every proof that moves a signer. */
export const PROOF_GUARDS: readonly Guard<SeenProof>[] = [
  guard(
    'passkey_signature_malformed',
    'what the browser says is a JSON object, and the authenticator’s data has 37 bytes or more',
    ({ client, authenticator }) => client !== null && authenticator !== null,
  ),
  guard('passkey_unknown_credential', 'the passkey is a known one of the merchant', ({ passkey }) => {
    return passkey !== null;
  }),
  guard('passkey_invalid', 'the passkey has signed it', ({ is_signed }) => is_signed),
  guard('passkey_invalid', 'it is an assertion', ({ client }) => client?.['type'] === 'webauthn.get'),
  guard('passkey_invalid', 'it was made on the approval page', ({ client, approval }) => {
    return client?.['origin'] === approval.origin;
  }),
  guard('passkey_invalid', 'no other page shows the approval page in a frame', ({ client }) => {
    return client?.['crossOrigin'] !== true && client?.['topOrigin'] === undefined;
  }),
  guard(
    'passkey_invalid',
    'the authenticator made it for the approval page',
    ({ authenticator, approval }) => authenticator?.rp_id_hash === rpIdHash(approval.rp_id),
  ),
  guard('passkey_invalid', 'a person was there', ({ authenticator }) => {
    return authenticator?.user_present === true;
  }),
  guard('passkey_invalid', 'the count of the passkey does not go back', ({ authenticator, passkey }) => {
    return authenticator !== null && authenticator.counter >= (passkey?.counter ?? 0);
  }),
  guard('user_verification_required', 'the passkey has made sure who uses it', ({ authenticator }) => {
    return authenticator?.user_verified === true;
  }),
  guard(
    'passkey_operation_mismatch',
    'the challenge is that of exactly this operation',
    ({ challenge, digest_due }) => challenge !== null && challenge.digest === digest_due,
  ),
  guard('passkey_challenge_expired', 'the challenge has not expired', ({ challenge, now_ms }) => {
    return challenge !== null && now_ms < challenge.expires_ms;
  }),
  guard(
    'passkey_challenge_expired',
    'the challenge expires at most 180 seconds ahead',
    ({ challenge, now_ms }) =>
      challenge !== null && challenge.expires_ms - now_ms <= LIFETIME_MS_MAX,
  ),
];

/** What is kept of a proof that holds. */
export interface HeldProof {
  /** Hex: no proof with it is taken again. */
  readonly nonce: string;
  readonly digest: string;
  readonly counter: number;
}

export type ProofJudgement =
  | ({ readonly ok: true } & HeldProof)
  | { readonly ok: false; readonly code: SignerCode; readonly reason: string };

/** Whether a passkey of the merchant allows exactly this operation now. That it does so once, the ledger sees to. */
export function judgeProof(request: ProofRequest): ProofJudgement {
  const seen = seenProof(request);
  const broken = brokenGuard(PROOF_GUARDS, seen);
  if (broken !== null) {
    return { ok: false, code: broken.code, reason: `This rule is broken: ${broken.rule}.` };
  }
  const { challenge, authenticator } = seen as Required<SeenProof> & {
    readonly challenge: NonNullable<SeenProof['challenge']>;
    readonly authenticator: NonNullable<SeenProof['authenticator']>;
  };
  const { nonce, digest } = challenge;
  return { ok: true, nonce, digest, counter: authenticator.counter };
}
