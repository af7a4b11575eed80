import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  sponsorTransaction,
  submitGaslessTransaction,
  type RequestContext,
  type SubmitGaslessTransactionBody,
  type SubmitTransactionAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, refusalAnswer, RUNTIME, Serves } from '@tender/http';
import { checkoutOf, tooLate, type BuiltTransaction, type KnownPayment } from '@tender/payments-domain';
import { guard, SPONSORED_BOUNDS, transactionOfBase64 } from '@tender/transactions';
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

@Controller()
export class SubmitGaslessTransactionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Treasury signs and sends it, once; what it has signed is then recorded here. */
  @Serves(submitGaslessTransaction)
  async submit(
    @Caller() caller: RequestContext,
    @Param('id') payment_id: string,
    @Body() { signed_transaction }: SubmitGaslessTransactionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmitTransactionAnswer> {
    if (transactionOfBase64(signed_transaction) === null) throw invalidTransaction('malformed_transaction');
    const known = await payablePayment(this.runtime, caller, payment_id);
    const { build, in_flight } = checkoutOf(known);
    const signed_build = build?.is_gasless ? checked(build, signed_transaction) : null;
    // The same again: one transaction of a build is ever sent.
    if (signed_build?.ok && in_flight !== null) return submitted(known, in_flight);
    const seen = await seenFor(this.runtime, known);
    const refused = tooLate(known, seen.at);
    if (refused) throw refusalAnswer(refused, CHECKOUT_REFUSALS);
    if (build === null) throw invalidTransaction('not_built');
    if (signed_build === null) throw invalidTransaction('not_gasless');
    if (!signed_build.ok) throw invalidTransaction(signed_build.refusal);
    const customer_wallet = build.payer_wallet;
    await screenPayment(this.runtime, caller, {
      ...{ stage: 'submit', asked_by: 'customer', payment: known, customer_wallet },
      customer_email: await openEmail(this.runtime, known.customer),
    });
    const transaction_signature = await this.sponsor(caller, known, build, signed_transaction);
    const submission = {
      ...{ transaction_signature, customer_wallet, is_ours: true, signed_transaction: null },
      last_valid_block_height: build.last_valid_block_height,
    };
    return recordSubmission(this.runtime, caller, known, { submission, seen }, reply);
  }

  private async sponsor(
    { mode, correlation_id, command_id, client_address }: RequestContext,
    { terms: { payment_id } }: KnownPayment,
    { payer_wallet: customer_wallet }: BuiltTransaction,
    signed_transaction: string,
  ): Promise<string> {
    const sponsored = await this.runtime.calls.ask(
      sponsorTransaction,
      { payment_id, customer_wallet, client_address, signed_transaction },
      { mode, correlation_id, command_id: `${command_id}|sponsor` },
    );
    if (sponsored.ok) return sponsored.value.transaction_signature;
    const { refusal, details = {} } = sponsored;
    if (refusal === 'invalid_transaction') {
      throw invalidTransaction(String(details['reason'] ?? 'invalid_transaction'), details);
    }
    if (refusal === 'gasless_unavailable') throw gaslessUnavailable(details);
    throw refusalAnswer(sponsored as never, CHECKOUT_REFUSALS);
  }
}

const checked = ({ message, payer_wallet }: BuiltTransaction, signed_transaction: string) =>
  guard(Buffer.from(signed_transaction, 'base64'), {
    message: Buffer.from(message, 'base64'),
    customer: payer_wallet,
    bounds: SPONSORED_BOUNDS,
  });

const gaslessUnavailable = (details: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError(
    503,
    'gasless_unavailable',
    'The service cannot pay the fee of this payment now. Build a transaction without prefer_gasless.',
    details,
    { 'Retry-After': '60' },
  );
