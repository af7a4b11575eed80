import { Body, Controller, Inject } from '@nestjs/common';
import {
  describePayment,
  payPayment,
  type PayAnswer,
  type PayBody,
  type RequestContext,
} from '@tender/contracts';
import { InsufficientFunds, MalformedSecret, type LocalChain, type Runtime } from '@tender/eventing';
import {
  ApiError,
  Caller,
  invalidParameter,
  LOCAL_CHAIN,
  notFound,
  RUNTIME,
  Serves,
} from '@tender/http';
import { sameNumber, wholeTokens } from '../whole-tokens';

@Controller()
export class PayPaymentHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LOCAL_CHAIN) private readonly chain: LocalChain,
  ) {}

  /** Pays whatever the payment's state is: a late or a second transfer is what a test may want. */
  @Serves(payPayment)
  async pay(@Caller() caller: RequestContext, @Body() body: PayBody): Promise<PayAnswer> {
    const { payment_id } = body;
    const payment = await this.runtime.calls.ask(describePayment, { payment_id }, caller);
    const foreign = caller.merchant_id !== '' && payment?.merchant_id !== caller.merchant_id;
    if (!payment || foreign) throw notFound();

    const token = body.token ?? payment.token;
    const amount =
      body.amount === undefined ? sameNumber(payment, token) : wholeTokens(body.amount, token);
    return this.chain
      .pay(payment.mode, {
        recipient: payment.wallet_address,
        token,
        amount,
        reference: payment.reference,
        from: body.from ?? null,
      })
      .catch(explain);
  }
}

function explain(error: unknown): never {
  if (error instanceof MalformedSecret) {
    const message = 'must be the base58 text of a 64-byte secret key';
    throw invalidParameter({ field: 'from', message });
  }
  if (!(error instanceof InsufficientFunds)) throw error;
  throw new ApiError(
    422,
    'insufficient_balance',
    'The paying wallet cannot pay that; use the faucet first.',
  );
}
