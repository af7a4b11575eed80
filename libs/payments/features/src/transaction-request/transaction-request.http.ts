import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  getTransactionRequest,
  postTransactionRequest,
  type RequestContext,
  type TransactionRequestAnswer,
  type TransactionRequestBody,
  type TransactionRequestLabel,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { buildForWallet } from '../build-transaction/build-for-wallet';
import { payablePayment } from '../build-transaction/payable-payment';
import { signingText, unsigned } from '../build-transaction/render-build';
import { describedMerchant } from '../checkout-data/described-merchant';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';

/** Solana Pay’s transaction request: what a phone’s wallet reads from a QR code. */
@Controller()
export class TransactionRequestHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  @Serves(getTransactionRequest)
  async label(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
  ): Promise<TransactionRequestLabel> {
    const { terms } = await payablePayment(this.runtime, caller, id);
    const { name: label } = await describedMerchant(this.runtime, terms.merchant_id, caller);
    return { label, icon: `${this.settings.checkout_url}/icon.svg` };
  }

  /**
   * Never gasless: such a wallet sends what it signs by itself, so a sponsor would have to sign before the customer
   * does, and would pay for whatever becomes of it.
   */
  @Serves(postTransactionRequest)
  async build(
    @Caller() caller: RequestContext,
    @Param('id') payment_id: string,
    @Body() { account }: TransactionRequestBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransactionRequestAnswer> {
    const wish = {
      ...{ payment_id, prefer_gasless: false },
      payer: { wallet: account, field: 'account' },
    };
    const { terms, build } = await buildForWallet(this.runtime, caller, wish, reply);
    return { transaction: unsigned(build), message: signingText(terms) };
  }
}
