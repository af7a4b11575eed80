import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  buildTransaction,
  type BuildTransactionAnswer,
  type BuildTransactionBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { buildForWallet } from './build-for-wallet';
import type { Payer } from './check-payer';
import { signingText, unsigned } from './render-build';

@Controller()
export class BuildTransactionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(buildTransaction)
  async build(
    @Caller() caller: RequestContext,
    @Param('id') payment_id: string,
    @Body() body: BuildTransactionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BuildTransactionAnswer> {
    const wish = {
      payment_id,
      payer: payerOf(body),
      prefer_gasless: body.prefer_gasless ?? false,
    };
    const { terms, build } = await buildForWallet(this.runtime, caller, wish, reply);
    const { is_gasless, fee_payer, recent_blockhash, last_valid_block_height } = build;
    return {
      transaction: unsigned(build),
      message: signingText(terms),
      is_gasless,
      requires_backend_submission: is_gasless,
      fee_payer,
      recent_blockhash,
      last_valid_block_height,
      reference: terms.reference,
      expires_at: terms.expires_at,
    };
  }
}

/** Under either of its names. */
function payerOf({ payer_wallet, customer_wallet }: BuildTransactionBody): Payer {
  const wallet = payer_wallet ?? customer_wallet;
  if (wallet === undefined) {
    const field = { field: 'payer_wallet', message: 'is required' };
    const sentence = 'payer_wallet is required: the wallet that is to pay.';
    throw new ApiError(400, 'missing_required_field', sentence, { fields: [field] });
  }
  if (customer_wallet !== undefined && customer_wallet !== wallet) {
    throw invalidParameter({ field: 'customer_wallet', message: 'must be payer_wallet, or left out' });
  }
  return { wallet, field: 'payer_wallet' };
}
