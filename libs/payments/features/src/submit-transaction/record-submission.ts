import type { RequestContext, SubmitTransactionAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, refusalAnswer } from '@tender/http';
import type { KnownPayment, Seen, SubmittedTransaction } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { CHECKOUT_REFUSALS } from '../build-transaction/payable-payment';
import { payment } from '../payment-details/payment.aggregate';
import { signatureClaim } from './signature-claim.aggregate';

const CLAIM_REFUSALS = {
  signature_already_used: [
    409,
    'signature_already_used',
    'This signature belongs to another payment. Each payment needs a transaction of its own.',
  ],
} as const;

/**
 * Claims the signature for this payment, then records what was handed in: nothing is sent before. Killed between the
 * two, the repeat of the request finds its own claim and goes on.
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
  if (!claimed.ok) throw refusalAnswer(claimed, CLAIM_REFUSALS);
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
