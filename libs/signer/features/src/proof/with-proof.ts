import { challengeIn, judgeProof } from '@tender/signer-domain';
import { challengeFor, isProof, type ProvenOperation } from '@tender/threshold';
import type { Tx } from '../ledger/ledger-database';
import { countPasskeys, passkeyOf } from '../ledger/passkeys';
import { useOf, useProof } from '../ledger/proofs';
import type { SignerParts } from '../service/ports';
import { refuse, type Refusal } from '../service/reply';

/** What an operation does in the ledger of a signer. */
export interface Allowed<Body> {
  readonly operation: ProvenOperation;
  /** Whether all is as the operation leaves it. */
  readonly is_done: boolean;
  /** What is answered once it is. */
  readonly body: Body;
  carryOut(now_ms: number): Promise<void>;
}

/**
 * Does what a passkey of the merchant allows, and uses its proof up, in one transaction: of a proof that comes twice
 * the second changes nothing. It is answered as the first where all still is as that has left it, because its answer
 * may have been lost on the way.
 */
export async function withProof<Body>(
  { approval, clock, log }: SignerParts,
  tx: Tx,
  proof: unknown,
  allowed: Allowed<Body>,
): Promise<{ readonly body: Body } | Refusal> {
  if (!isProof(proof)) return refuse('passkey_signature_malformed', 'a proof has four texts');
  const { operation, is_done, body } = allowed;
  const { credential_id } = proof;
  // Before the passkey is looked for: the first one may be pinned meanwhile, and is then found.
  if ((await countPasskeys(tx, operation.merchant_id)) === 0) {
    return refuse('passkey_required', 'this signer knows no passkey of the merchant');
  }
  const found = await passkeyOf(tx, credential_id);
  const passkey = found?.merchant_id === operation.merchant_id ? found : null;
  const now_ms = clock.wall();
  const judged = judgeProof({ operation, proof, passkey, approval, now_ms });
  if (!judged.ok) return refuse(judged.code, judged.reason);
  const used_for = await useOf(tx, judged.nonce);
  if (used_for === judged.digest && is_done) return { body };
  if (used_for !== null) return refuse('passkey_challenge_consumed', 'the challenge was used before');
  await useProof(tx, judged, credential_id, now_ms);
  await allowed.carryOut(now_ms);
  log.warn({ operation: operation.type, merchant_id: operation.merchant_id }, 'a passkey has allowed it');
  return { body };
}

/** Whether this signer has carried out exactly this operation by that proof. */
export async function wasCarriedOut(
  tx: Tx,
  proof: unknown,
  operation: ProvenOperation,
): Promise<boolean> {
  const challenge = isProof(proof) ? challengeIn(proof) : null;
  if (challenge === null) return false;
  return (await useOf(tx, challenge.nonce)) === challengeFor(operation, challenge).digest;
}
