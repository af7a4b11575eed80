import {
  operatingWallet,
  requestTransfer,
  type OperatingWallet,
  type RequestedTransfer,
} from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { done, refuse } from '@tender/kernel';
import { freshTestWallet } from '@tender/transactions/testing';
import { CheckoutStage, type Wallet } from './checkout-stage';
import { fateOf } from './payment-fates';

const OPERATING_WALLET = freshTestWallet().address;
const SETTLEMENT_WALLET = freshTestWallet().address;
const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: SETTLEMENT_WALLET },
  ...{ actor: 'key:k1', asker: { kind: 'key', key_id: 'k1' } as const },
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;
type News = 'signed' | 'completed' | 'failed';

/** Manual intents, with treasury as a test plays it. */
export class HoldStage {
  /** The operating wallet, as treasury answers it. */
  opened: OperatingWallet | null = {
    ...{ address: OPERATING_WALLET, settlement_wallet: SETTLEMENT_WALLET, custody_model: 'shared' },
    ...{ roster: {}, frozen: false, per_day_usd: null },
  };
  /** Treasury answers nothing. */
  out_of_reach = false;
  /** What treasury was asked to send, repeats included. */
  readonly transfers: RequestedTransfer[] = [];
  readonly operating_wallet = OPERATING_WALLET;
  readonly settlement_wallet = SETTLEMENT_WALLET;

  private constructor(
    readonly stage: CheckoutStage,
    readonly customer: Wallet,
  ) {
    const { calls } = stage.context.runtime;
    calls.answer(operatingWallet, async ({ merchant_id }) => {
      if (this.out_of_reach) throw new Unavailable('treasury', {});
      return merchant_id === OWNER.merchant_id ? done(this.opened) : refuse('merchant_not_found');
    });
    calls.answer(requestTransfer, async (transfer) => {
      this.transfers.push(transfer);
      return done({ transfer_id: transfer.transfer_id });
    });
  }

  static async start(): Promise<HoldStage> {
    const stage = await CheckoutStage.start();
    return new HoldStage(stage, await stage.customer());
  }

  send(method: 'GET' | 'POST', path: string, body?: object, changes: object = {}) {
    const { context } = this.stage;
    return context.send(method, `/api/v1${path}`, context.caller({ ...OWNER, ...changes }), body);
  }

  async newIntent(body: object = {}): Promise<Json> {
    const asked = { amount: 10, capture_method: 'manual', ...body };
    return (await this.send('POST', '/payment-intents', asked)).json;
  }

  confirm({ id, client_secret }: Json) {
    const body = { customer_wallet: this.customer.address, client_secret };
    return this.send('POST', `/payment-intents/${id}/confirm`, body);
  }

  /** A manual intent whose money has come. */
  async held(): Promise<Json> {
    const intent = await this.newIntent();
    const { json } = await this.confirm(intent);
    const paid = (await this.send('GET', `/payments/${json.payment_id}/checkout-data`)).json;
    await fateOf(this.stage.context).confirm(paid);
    await this.settle();
    return this.intentNow(intent);
  }

  settle(): Promise<void> {
    return this.stage.context.settle();
  }

  async intentNow({ id }: Json): Promise<Json> {
    return (await this.send('GET', `/payment-intents/${id}`)).json;
  }

  act({ id }: Json, action: 'capture' | 'cancel', changes: object = {}) {
    return this.send('POST', `/payment-intents/${id}/${action}`, undefined, changes);
  }

  /** What treasury tells of the transfer that it was asked for last. */
  async tell(news: News, transaction_signature: string | null = 'T1'): Promise<void> {
    const asked = this.transfers.at(-1) as RequestedTransfer;
    const { transfer_id, type, merchant_id, asset, amount } = asked;
    const from_to = { from: OPERATING_WALLET, to: SETTLEMENT_WALLET };
    const transfer = { transfer_id, type, merchant_id, ...from_to, asset, amount };
    await this.stage.context.say(`outgoingtransfer.test-${transfer_id}`, `treasury.transfer-${news}.v1`, {
      ...{ transfer, transaction_signature },
      ...(news === 'failed' ? { failure_reason: 'insufficient_balance' } : {}),
    });
    await this.settle();
  }

  async typesOf(noun: 'payment' | 'intent', id: string): Promise<readonly string[]> {
    const history = await this.stage.context.runtime.eventStore.load(`${noun}.test-${id}`);
    return history.map(({ type }) => type);
  }
}
