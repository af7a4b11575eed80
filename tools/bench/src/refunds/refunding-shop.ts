import { Customer } from '../chain/customer';
import { inParallel, merchantWithWebhook } from '../product/merchants';
import type { Product } from '../product/product';
import { eventually } from '../product/request';

const PRICE_USD = 1;
/** USDC in its operating wallet, out of which refunds are paid. */
const FUNDS = 1_000;
/** The wallet is made by both signers. */
const WALLET_WAIT_MS = 120_000;
const PAYING_AT_ONCE = 16;

/** A payment that can be refunded, once. */
export interface PaidPayment {
  readonly payment_id: string;
  /** Asks for all of it; throws where it is refused. */
  refund(): Promise<void>;
}

/** Of the shops in turn. */
export async function paidPayments(
  shops: readonly RefundingShop[],
  count: number,
): Promise<PaidPayment[]> {
  const paid: PaidPayment[] = [];
  await inParallel(count, PAYING_AT_ONCE, async (number) => {
    const shop = shops[number % shops.length] as RefundingShop;
    const payment_id = await shop.paidPayment();
    paid[number] = { payment_id, refund: () => shop.refund(payment_id) };
  });
  return paid;
}

/** A merchant whose payments are paid, and whose operating wallet has the money to give them back. */
export class RefundingShop {
  private constructor(
    private readonly product: Product,
    private readonly key: string,
  ) {}

  static several(product: Product, webhook_url: string, count: number): Promise<RefundingShop[]> {
    const open = (_: unknown, number: number) => RefundingShop.open(product, webhook_url, number);
    return Promise.all(Array.from({ length: count }, open));
  }

  private static async open(
    product: Product,
    webhook_url: string,
    number: number,
  ): Promise<RefundingShop> {
    const { key } = await merchantWithWebhook(product, webhook_url, new Customer(number).wallet);
    const { json } = await eventually(
      'an operating wallet',
      () => product.ask('GET', '/api/v1/merchants/me/wallet', undefined, { key }),
      (answer) => Boolean(answer.json.operating_wallet_address),
      WALLET_WAIT_MS,
    );
    const funds = { address: json.operating_wallet_address as string, token: 'USDC', amount: FUNDS };
    const given = await product.ask('POST', '/api/v1/test_helpers/faucet', funds);
    if (given.status !== 200) throw new Error(`the wallet was not funded: ${JSON.stringify(given.json)}`);
    return new RefundingShop(product, key);
  }

  /** The id of a payment that a customer has just paid, from a wallet of its own. */
  async paidPayment(): Promise<string> {
    const { key } = this;
    const created = await this.product.ask('POST', '/api/v1/payments', { amount: PRICE_USD }, { key });
    const payment_id = created.json.id as string;
    const paid = await this.product.ask('POST', '/api/v1/test_helpers/pay', { payment_id }, { key });
    if (paid.status !== 200) throw new Error(`a payment was not paid: ${JSON.stringify(paid.json)}`);
    await eventually(
      'a confirmed payment',
      () => this.product.ask('GET', `/api/v1/payments/${payment_id}/status`, undefined, { key: null }),
      ({ json }) => json.status === 'confirmed',
    );
    return payment_id;
  }

  async refund(payment_id: string): Promise<void> {
    const { status, json } = await this.product.ask(
      ...(['POST', `/api/v1/payments/${payment_id}/refund`, { amount_usd: PRICE_USD }] as const),
      { key: this.key },
    );
    if (status !== 201) throw new Error(`a refund was refused: ${status} ${JSON.stringify(json)}`);
  }
}
