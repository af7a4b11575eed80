import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { solanaChain } from '@tender/adapter-solana';
import type { ScreeningRequest } from '@tender/contracts';
import type { Chain, Commitment } from '@tender/eventing';
import { done, type Token } from '@tender/kernel';
import { callRpc, startLocalnet } from '@tender/localnet';
import type { ContextStage, StageAnswer } from '@tender/runtime/testing';
import { base58 } from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import { paymentsStage } from './payments-stage';

export type Wallet = ReturnType<typeof freshTestWallet>;

/** A blockhash lives for 150 blocks here as on any chain, so that a test can see it die. */
const SLOT_MS = 100;

/** Payments on a local chain of its own, as a customer meets it; fraud passes everybody whom no test blocks. */
export class CheckoutStage {
  private merchants = 0;

  private constructor(
    readonly context: ContextStage,
    readonly chain: Chain,
    /** Wallets that fraud blocks. */
    readonly blocked: Set<string>,
    /** What fraud was asked, oldest first. */
    readonly screened: ScreeningRequest[],
    private readonly rpc_url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(commitment: Commitment = 'confirmed'): Promise<CheckoutStage> {
    const folder = mkdtempSync(join(tmpdir(), 'tender-checkout-'));
    const localnet = await startLocalnet({ dataDir: folder, slotMs: SLOT_MS });
    const { rpc_url, mints } = localnet.networks.test;
    const wall = () => performance.timeOrigin + performance.now();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const chain = solanaChain({
      ...{ network: 'localnet', commitment, endpoints: [rpc_url], mints, log },
      clock: { now: wall, wall },
    });
    const rate = { rate: '150', source: 'test', as_of: '2026-01-01T00:00:00.000Z' };
    const rates = { quote: async () => rate } as never;
    const blocked = new Set<string>();
    const chains = { test: chain, live: chain };
    const screened: ScreeningRequest[] = [];
    const context = await paymentsStage({ chains, rates }, {}, async (request) => {
      screened.push(request);
      const action = blocked.has(request.customer_wallet ?? '') ? 'block' : 'pass';
      return done({ score: 0, action, reasons: [] });
    });
    return new CheckoutStage(context, chain, blocked, screened, rpc_url, async () => {
      await context.close();
      await chain.close();
      await localnet.close();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  control<Answer = unknown>(method: string, fields: object): Promise<Answer> {
    return callRpc<Answer>(this.rpc_url, method, fields);
  }

  /** A customer with SOL for fees and 100 of each token. */
  async customer(): Promise<Wallet> {
    const wallet = freshTestWallet();
    for (const token of ['SOL', 'USDC', 'USDT']) {
      const amount = token === 'SOL' ? '1000000000' : '100000000';
      await this.control('localnet_faucet', { address: wallet.address, token, amount });
    }
    return wallet;
  }

  /** A payment of 10 USD to a merchant of its own, who has no token account yet. */
  async payment(token: Token = 'USDC'): Promise<Payment> {
    const merchant = {
      merchant_id: `m${(this.merchants += 1)}`,
      merchant_name: 'Corner Shop',
      wallet: freshTestWallet().address,
    };
    const caller = this.context.caller(merchant);
    const { json } = await this.context.send('POST', '/api/v1/payments', caller, { amount: 10, token });
    return json as Payment;
  }

  post({ id }: { readonly id: string }, action: string, body: object): Promise<StageAnswer> {
    return this.context.send('POST', `/api/v1/payments/${id}/${action}`, this.context.caller(), body);
  }

  build(payment: Payment, { address }: Wallet, more: object = {}): Promise<StageAnswer> {
    return this.post(payment, 'build-transaction', { payer_wallet: address, ...more });
  }

  /** What the wallet makes of a built transaction, base64. */
  signed(transaction: string, wallet: Wallet): string {
    return Buffer.from(signedBy(messageIn(transaction), wallet)).toString('base64');
  }

  submit(payment: Payment, signed_transaction: string): Promise<StageAnswer> {
    return this.post(payment, 'submit-transaction', { signed_transaction });
  }

  /** Tells the signature of what the wallet has sent by itself. */
  handIn(payment: Payment, transaction_signature: string, more: object = {}): Promise<StageAnswer> {
    return this.post(payment, 'submit-transaction', { transaction_signature, ...more });
  }

  /** A new payment, with what was built for the wallet and signed by it. */
  async built(wallet: Wallet): Promise<BuiltPayment> {
    const payment = await this.payment();
    const { transaction } = (await this.build(payment, wallet)).json;
    const signature = base58(wallet.sign(messageIn(transaction)));
    return { payment, transaction, signed: this.signed(transaction, wallet), signature };
  }

  /** Resolves once the chain shows it. */
  async landed(signature: string) {
    for (;;) {
      const found = await this.chain.transaction(signature);
      if (found) return found;
      await sleep(20);
    }
  }

  /** Blockhashes of before are dead from now on, finally. */
  passBlockhashes(): Promise<unknown> {
    return this.passSlots(200);
  }

  /** In no time. */
  passSlots(slots: number): Promise<unknown> {
    return this.control('localnet_warpSlots', { slots });
  }

  async eventsOf({ id }: Payment): Promise<readonly string[]> {
    const events = await this.context.runtime.eventStore.load(`payment.test-${id}`);
    return events.map(({ type }) => type);
  }
}

export interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly wallet_address: string;
  readonly token_amount: string;
  readonly expires_at: string;
}

export interface BuiltPayment {
  readonly payment: Payment;
  /** Base64, as the next. */
  readonly transaction: string;
  readonly signed: string;
  readonly signature: string;
}

/** Status and code of an answer, and the reason that it gives. */
export const codeOf = ({ status, json }: StageAnswer) => [
  ...[status, json.code],
  ...(json.details?.reason ? [json.details.reason] : []),
];

/** The message of a transaction with one signer. */
export const messageIn = (transaction: string): Buffer => {
  const bytes = Buffer.from(transaction, 'base64');
  return bytes.subarray(1 + 64 * (bytes[0] as number));
};
