import type { RequestContext, SubmitTransactionAnswer } from '@tender/contracts';
import type { ChainTransaction, Runtime } from '@tender/eventing';
import { ApiError, refusalAnswer } from '@tender/http';
import {
  checkoutOf,
  isHandedIn,
  tooLate,
  type BuiltTransaction,
  type PaymentTerms,
} from '@tender/payments-domain';
import { hasSigned, signatureBytes } from '@tender/transactions';
import type { FastifyReply } from 'fastify';
import {
  CHECKOUT_REFUSALS,
  invalidTransaction,
  payablePayment,
  seenFor,
} from '../build-transaction/payable-payment';
import { openEmail } from '../customers/customers';
import { screenPayment } from '../screen-payment/screen-payment';
import { isOfAnother, recordSubmission, signatureAlreadyUsed, submitted } from './record-submission';

export interface HandedIn {
  readonly payment_id: string;
  readonly transaction_signature: string;
  readonly customer_wallet: string | null;
}

/**
 * Takes the signature of what a wallet has sent by itself. The bound wallet's own signature over the built message is
 * proof enough; of any other the chain must not show that it is not of this payment, and it may show nothing yet.
 */
export async function submitSignature(
  runtime: Runtime,
  caller: RequestContext,
  { payment_id, transaction_signature, customer_wallet }: HandedIn,
  reply: FastifyReply,
): Promise<SubmitTransactionAnswer> {
  const signature = signatureBytes(transaction_signature);
  if (signature === null) throw invalidSignature();
  const known = await payablePayment(runtime, caller, payment_id);
  if (isHandedIn(known, transaction_signature)) return submitted(known, transaction_signature);
  const seen = await seenFor(runtime, known);
  const refused = tooLate(known, seen.at);
  if (refused) throw refusalAnswer(refused, CHECKOUT_REFUSALS);
  const { terms } = known;
  const { build } = checkoutOf(known);
  const is_ours = build !== null && hasSignedBuild(build, signature);
  if (!is_ours && (await isOfAnother(runtime, terms, transaction_signature))) {
    throw signatureAlreadyUsed();
  }
  const payer = is_ours
    ? build.payer_wallet
    : payerOf(await runtime.chains[terms.mode].transaction(transaction_signature), terms);
  const wallet = payer ?? customer_wallet;
  await screenPayment(runtime, caller, {
    ...{ stage: 'submit', asked_by: 'customer', payment: known, customer_wallet: wallet },
    customer_email: await openEmail(runtime, known.customer),
  });
  const submission = {
    ...{ transaction_signature, customer_wallet: wallet, is_ours, signed_transaction: null },
    last_valid_block_height: is_ours ? build.last_valid_block_height : null,
  };
  return recordSubmission(runtime, caller, known, { submission, seen }, reply);
}

/** A direct build's signature is its payer's, so it tells what was signed without asking the chain. */
const hasSignedBuild = (build: BuiltTransaction, signature: Uint8Array): boolean =>
  !build.is_gasless && hasSigned(build.payer_wallet, Buffer.from(build.message, 'base64'), signature);

/** Who has paid in it; null while the chain does not show it. Throws where it is not of this payment. */
function payerOf(
  found: ChainTransaction | null,
  { reference, token_mint }: PaymentTerms,
): string | null {
  if (found === null) return null;
  if (!found.account_keys.includes(reference)) throw invalidTransaction('reference_missing');
  const paying = found.changes.find(({ mint, delta }) => mint === token_mint && delta < 0n);
  return paying?.owner ?? found.fee_payer;
}

const invalidSignature = (): ApiError =>
  new ApiError(
    400,
    'invalid_signature',
    'transaction_signature must be the signature of a Solana transaction: 64 bytes in base58, not all of them zero.',
    { fields: [{ field: 'transaction_signature', message: 'must be 64 bytes in base58, not all zero' }] },
  );
