import type { RequestContext, SubmitTransactionAnswer } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { refusalAnswer } from '@tender/http';
import {
  checkoutOf,
  isDead,
  isHandedIn,
  tooLate,
  walletMismatch,
  type BuiltTransaction,
  type KnownPayment,
} from '@tender/payments-domain';
import {
  CUSTOMER_PAID_BOUNDS,
  guard,
  transactionOfBase64,
  transactionSignature,
} from '@tender/transactions';
import type { FastifyReply } from 'fastify';
import {
  CHECKOUT_REFUSALS,
  invalidTransaction,
  payablePayment,
  seenFor,
} from '../build-transaction/payable-payment';
import { openEmail } from '../customers/customers';
import { screenPayment } from '../screen-payment/screen-payment';
import { recordSubmission, submitted } from './record-submission';

export interface Signed {
  readonly payment_id: string;
  /** Base64. */
  readonly signed_transaction: string;
  readonly customer_wallet: string | null;
}

/** Takes what the customer has signed and pays the fee of: recorded first, then sent until it lands or is dead. */
export async function submitSigned(
  runtime: Runtime,
  caller: RequestContext,
  { payment_id, signed_transaction, customer_wallet }: Signed,
  reply: FastifyReply,
): Promise<SubmitTransactionAnswer> {
  const transaction = transactionOfBase64(signed_transaction);
  if (transaction === null) throw invalidTransaction('malformed_transaction');
  const transaction_signature = transactionSignature(transaction);
  if (transaction_signature === null) throw invalidTransaction('bad_customer_signature');
  const known = await payablePayment(runtime, caller, payment_id);
  if (isHandedIn(known, transaction_signature)) return submitted(known, transaction_signature);
  const seen = await seenFor(runtime, known);
  const refused = tooLate(known, seen.at);
  if (refused) throw refusalAnswer(refused, CHECKOUT_REFUSALS);
  const { build, in_flight } = checkoutOf(known);
  if (build === null) throw invalidTransaction('not_built');
  if (customer_wallet !== null && customer_wallet !== build.payer_wallet) {
    throw refusalAnswer(walletMismatch(build.payer_wallet), CHECKOUT_REFUSALS);
  }
  const wire = Buffer.from(signed_transaction, 'base64');
  checkAgainst(build, wire);
  if (in_flight === null && isDead(build, seen.finalized_height)) {
    throw invalidTransaction('blockhash_expired');
  }
  await mustSucceed(runtime, known, build, transaction_signature, wire);
  await screenPayment(runtime, caller, {
    ...{ stage: 'submit', asked_by: 'customer', payment: known, customer_wallet: build.payer_wallet },
    customer_email: await openEmail(runtime, known.customer),
  });
  const submission = {
    ...{ transaction_signature, signed_transaction, is_ours: true },
    customer_wallet: build.payer_wallet,
    last_valid_block_height: build.last_valid_block_height,
  };
  const answer = await recordSubmission(runtime, caller, known, { submission, seen }, reply);
  await sendOnce(runtime, caller, wire);
  return answer;
}

function checkAgainst(build: BuiltTransaction, wire: Uint8Array): void {
  if (build.is_gasless) throw invalidTransaction('sponsor_signature_missing');
  const checked = guard(wire, {
    message: Buffer.from(build.message, 'base64'),
    customer: build.payer_wallet,
    bounds: CUSTOMER_PAID_BOUNDS,
  });
  if (!checked.ok) throw invalidTransaction(checked.refusal);
}

/** One that fails on the chain costs its fee and ends the payment: what would fail now is not sent. */
async function mustSucceed(
  { chains }: Pick<Runtime, 'chains'>,
  { terms }: KnownPayment,
  { payer_wallet }: BuiltTransaction,
  transaction_signature: string,
  wire: Uint8Array,
): Promise<void> {
  const chain = chains[terms.mode];
  const { error } = await chain.simulate(wire, { min_slot: 0, accounts: [payer_wallet] });
  if (error === null) return;
  // The wallet has sent it by itself: it cannot run twice.
  const { statuses } = await chain.signatureStatuses([transaction_signature]);
  if (statuses[0] == null) throw invalidTransaction('would_fail', { error });
}

/** The indexer sends it again and again; this only saves a second. */
async function sendOnce(
  { chains, log }: Pick<Runtime, 'chains' | 'log'>,
  { mode, correlation_id }: RequestContext,
  wire: Uint8Array,
): Promise<void> {
  try {
    await chains[mode].send(wire);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ correlation_id, reason: error.message }, 'a transaction is sent later');
  }
}
