import { Body, Controller, Inject } from '@nestjs/common';
import {
  describeTransfer,
  newId,
  operatingWallet,
  requestTransfer,
  sendBack,
  uuidIds,
  type RequestContext,
  type SendBackAnswer,
  type SendBackBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, invalidParameter, notFound, RUNTIME, Serves } from '@tender/http';
import { wholeTokens } from '../whole-tokens';
import { paidBy } from './paid-by';

/** Refunds without payments: the operating wallet, its signers and the chain, as they are. */
@Controller()
export class SendBackHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(sendBack)
  async send(
    @Caller() caller: RequestContext,
    @Body() body: SendBackBody,
  ): Promise<SendBackAnswer> {
    const { calls, chains, keyRing, random } = this.runtime;
    const { merchant_id, mode } = caller;
    // The admin token names no merchant.
    if (merchant_id === '') throw new ApiError(403, 'forbidden', 'Send it with the key of a merchant.');
    const scope = `send-back|${merchant_id}|${body.key ?? random.uuid()}`;
    const transfer_id = newId(uuidIds, mode, keyRing.idBytes(scope));
    // A transfer is known by its id: asked for again with other terms it is refused.
    const asking = { ...caller, command_id: random.uuid() };
    const opened = await calls.ask(operatingWallet, { merchant_id }, asking);
    if (!opened.ok || opened.value === null) throw walletNotReady();
    const transaction = await chains[mode].transaction(body.credit);
    const paid = transaction && paidBy(transaction, opened.value.address, chains[mode].mints);
    if (!paid) throw invalidParameter({ field: 'credit', message: CREDIT });
    const { token: asset, payer } = paid;
    const amount = body.amount === undefined ? paid.amount : wholeTokens(body.amount, asset);
    const requested = await calls.ask(
      requestTransfer,
      {
        ...{ transfer_id, merchant_id, type: 'refund', asset, amount: String(amount) },
        ...{ credit: body.credit, to: payer },
      },
      asking,
    );
    if (!requested.ok) {
      if (requested.refusal === 'wallet_not_ready') throw walletNotReady();
      const message = 'must stay as it was for this key; name another key for another transfer';
      throw invalidParameter({ field: 'key', message });
    }
    const known = await calls.ask(describeTransfer, { transfer_id }, caller);
    if (!known) throw notFound();
    const { from, to, status, transaction_signature, failure_reason } = known;
    return {
      ...{ transfer_id, from, to, token: known.asset, amount: known.amount },
      ...{ status, transaction_signature, failure_reason },
    };
  }
}

const CREDIT = 'must be a confirmed transaction that paid the operating wallet, out of one wallet';

const walletNotReady = (): ApiError =>
  new ApiError(409, 'wallet_not_ready', 'The operating wallet is not there yet; try again in a moment.');
