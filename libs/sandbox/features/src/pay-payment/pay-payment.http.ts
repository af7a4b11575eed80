import { Body, Controller, Inject } from '@nestjs/common';
import {
  describePayment,
  payPayment,
  type PayAnswer,
  type PayBody,
  type RequestContext,
} from '@tender/contracts';
import { InsufficientFunds, type LocalChain, type Runtime } from '@tender/eventing';
import { ApiError, Caller, LOCAL_CHAIN, notFound, RUNTIME, Serves } from '@tender/http';
import { wholeTokens } from '../whole-tokens';

@Controller()
export class PayPaymentHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LOCAL_CHAIN) private readonly chain: LocalChain,
  ) {}

  /** Pays whatever the payment's state is: a late or a second transfer is what a test may want. */
  @Serves(payPayment)
  async pay(@Caller() caller: RequestContext, @Body() body: PayBody): Promise<PayAnswer> {
    const payment = await this.runtime.calls.ask(describePayment, { payment_id: body.payment_id });
    const foreign = caller.merchant_id !== '' && payment?.merchant_id !== caller.merchant_id;
    if (!payment || foreign) throw notFound();

    const token = body.token ?? payment.token;
    const due = token === payment.token ? BigInt(payment.token_amount) : null;
    const amount = body.amount === undefined ? due : wholeTokens(body.amount, token);
    if (amount === null) {
      throw new ApiError(
        400,
        'missing_required_field',
        'Name the amount to pay in another token.',
        {
          fields: [{ field: 'amount', message: 'is required when token is not the payment’s own' }],
        },
      );
    }
    return this.chain
      .pay(payment.mode, {
        recipient: payment.wallet_address,
        token,
        amount,
        reference: payment.reference,
        from: body.from ?? null,
      })
      .catch((error: unknown) => {
        if (!(error instanceof InsufficientFunds)) throw error;
        throw new ApiError(
          422,
          'insufficient_balance',
          'The paying wallet cannot pay that; use the faucet first.',
        );
      });
  }
}
