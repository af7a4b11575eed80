import type { RequestContext, SubmitTransactionAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError } from '@tender/http';
import type {
  KnownPayment,
  PaymentTerms,
  Seen,
  SubmittedTransaction,
} from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { CHECKOUT_REFUSALS } from '../build-transaction/payable-payment';
import { payment } from '../payment-details/payment.aggregate';
import { signatureClaim } from './signature-claim.aggregate';

export const signatureAlreadyUsed = (): ApiError =>
  new ApiError(
    409,
    'signature_already_used',
    'This signature belongs to another payment. Each payment needs a transaction of its own.',
  );

/** Handed in for another payment, or what has paid one; the claim decides where two ask at once. */
export async function isOfAnother(
  runtime: Pick<Runtime, 'eventStore' | 'readModels'>,
  { mode, payment_id }: PaymentTerms,
  transaction_signature: string,
): Promise<boolean> {
  const claim = await signatureClaim.load(runtime, mode, transaction_signature);
  if (claim !== null) return claim.payment_id !== payment_id;
  const paid = await runtime.readModels.query(
    `select id from payments.payment_details
     where (state->>'transaction_signature') = $1 and mode = $2 and id <> $3 limit 1`,
    [transaction_signature, mode, payment_id],
  );
  return paid.length > 0;
}

/**
 * Claims the signature for this payment, then records what was handed in: nothing is sent before. Killed between the
 * two, the repeat of the request finds its own claim and goes on. A signature can be read off the network as soon as it
 * is sent, so what proves itself to be of this payment is taken, whoever was faster to hand it in for another.
 */
export async function recordSubmission(
  runtime: Runtime,
  caller: RequestContext,
  { terms }: KnownPayment,
  { submission, seen }: { readonly submission: SubmittedTransaction; readonly seen: Seen },
  reply: FastifyReply,
): Promise<SubmitTransactionAnswer> {
  const { payment_id, merchant_id } = terms;
  const { transaction_signature } = submission;
  const claimed = await signatureClaim.handle(
    runtime,
    caller.mode,
    transaction_signature,
    { type: 'ClaimSignature', transaction_signature, payment_id },
    {
      command_id: `claim:${payment_id}`,
      ...{ body_hash: null, merchant_id, actor: caller.actor, causation_id: null },
      correlation_id: caller.correlation_id,
    },
  );
  if (!claimed.ok && !submission.is_ours) throw signatureAlreadyUsed();
  const { handled } = await payment.request(runtime, caller, () => ({
    id: payment_id,
    command: { type: 'SubmitTransaction', submission, seen } as const,
    merchant_id,
  }));
  return submitted(accepted(handled, CHECKOUT_REFUSALS, reply).state, transaction_signature);
}

/** The answer to what was handed in, now or before. */
export const submitted = (
  { terms: { payment_id }, status }: KnownPayment,
  transaction_signature: string,
): SubmitTransactionAnswer => ({
  payment_id,
  status,
  verification: 'processing',
  transaction_signature,
});
