import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  submitTransaction,
  type RequestContext,
  type SubmitTransactionAnswer,
  type SubmitTransactionBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { submitSignature } from './submit-signature';
import { submitSigned } from './submit-signed';

@Controller()
export class SubmitTransactionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(submitTransaction)
  async submit(
    @Caller() caller: RequestContext,
    @Param('id') payment_id: string,
    @Body() body: SubmitTransactionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmitTransactionAnswer> {
    const { transaction_signature, signed_transaction, customer_wallet = null } = body;
    if (transaction_signature !== undefined && signed_transaction !== undefined) {
      const message = 'must be left out where signed_transaction is sent';
      throw invalidParameter({ field: 'transaction_signature', message });
    }
    if (signed_transaction !== undefined) {
      const signed = { payment_id, signed_transaction, customer_wallet };
      return submitSigned(this.runtime, caller, signed, reply);
    }
    if (transaction_signature === undefined) throw nothingSent();
    const handed_in = { payment_id, transaction_signature, customer_wallet };
    return submitSignature(this.runtime, caller, handed_in, reply);
  }
}

const nothingSent = (): ApiError =>
  new ApiError(
    400,
    'missing_required_field',
    'Send transaction_signature where the wallet has sent the transaction, else signed_transaction.',
    { fields: [{ field: 'transaction_signature', message: 'is required, or signed_transaction' }] },
  );
