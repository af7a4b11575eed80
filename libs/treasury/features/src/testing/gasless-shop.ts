import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestLocalnet } from '@tender/adapter-solana/testing';
import {
  newId,
  offerSponsorship,
  paymentIds,
  sponsorTransaction,
  withdrawSponsorship,
  type SponsoredTransfer,
  type SponsorshipOffer,
} from '@tender/contracts';
import type { Chain } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import {
  base64,
  readMessage,
  signerOf,
  transactionFee,
  type Signer,
} from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import { keyInMemory, type FeeKey } from '../fee-key';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { treasuryHouse, type TreasuryParts } from './treasury-stage';

type Token = SponsoredTransfer['token'];
type Outcome =
  | { ok: true; value: { transaction_signature: string } }
  | { ok: false; refusal: string; details?: object };

/** A local chain with a sponsor, merchants and customers on it, and treasury, which pays their fees. */
export class GaslessShop {
  private house: Awaited<ReturnType<typeof treasuryHouse>> | null = null;
  readonly local = new TestLocalnet();
  private readonly secret = randomBytes(32);
  readonly sponsor: FeeKey = keyInMemory(this.secret);
  readonly sponsors_signer: Signer = signerOf(this.secret);

  async start(lamports = 1_000_000_000n): Promise<void> {
    [this.house] = await Promise.all([treasuryHouse(), this.local.start()]);
    await this.give(this.sponsor.address, 'SOL', lamports);
  }

  async close(): Promise<void> {
    await this.house?.close();
    await this.local.stop();
  }

  /** A process of treasury in place of the one before. */
  open(changes: Partial<TreasuryParts> = {}): Promise<ContextStage> {
    if (this.house === null) throw new Error('the shop has not been started');
    return this.house.open({ ports: { chains: this.chains() }, sponsor: this.sponsor, ...changes });
  }

  get chain(): Chain {
    return this.local.chain;
  }

  /** Both modes of a stage use the one chain; nothing happens in live. */
  chains(changes: Partial<Chain> = {}) {
    const chain: Chain = Object.assign(Object.create(this.chain) as Chain, changes);
    return { test: chain, live: this.chain };
  }

  async give(address: string, token: Token, amount: bigint): Promise<void> {
    await this.local.control('localnet_faucet', { address, token, amount: amount.toString() });
  }

  async lamports(address: string = this.sponsor.address): Promise<bigint> {
    return (await this.chain.accounts([address]))[0]?.lamports ?? 0n;
  }

  tokens = async (wallet: string): Promise<bigint> => (await this.chain.balances(wallet)).USDC;

  /** A merchant that has been paid before, so that its token account is there. */
  async merchant(): Promise<string> {
    const { address } = freshTestWallet();
    await this.give(address, 'USDC', 1n);
    return address;
  }

  /** A customer who has 100 USDC and no lamport. */
  async customer(): Promise<Signer> {
    const wallet = freshTestWallet();
    await this.give(wallet.address, 'USDC', 100_000_000n);
    return wallet;
  }

  /** 10 USDC from the customer to the merchant. */
  payment(
    customer: Signer,
    recipient: string,
    changes: Partial<SponsoredTransfer> = {},
  ): SponsoredTransfer {
    return {
      payment_id: newId(paymentIds, 'test', randomBytes(16)),
      merchant_id: 'merchant-1',
      customer_wallet: customer.address,
      client_address: '192.0.2.7',
      token: 'USDC',
      token_mint: this.local.network.mints.USDC,
      amount: '10000000',
      recipient,
      reference: freshTestWallet().address,
      expires_at: isoTime(performance.timeOrigin + performance.now() + 900_000),
      ...changes,
    };
  }
}

const asking = (stage: ContextStage) => ({
  mode: 'test' as const,
  correlation_id: stage.runtime.random.uuid(),
  command_id: stage.runtime.random.uuid(),
});

/** Asks for an offer. */
export const askOffer = (stage: ContextStage, payment: SponsoredTransfer) =>
  stage.runtime.calls.ask(offerSponsorship, payment, asking(stage));

/** Asks for the end of an offer. */
export const askWithdrawal = (stage: ContextStage, { payment_id }: SponsoredTransfer) =>
  stage.runtime.calls.ask(withdrawSponsorship, { payment_id }, asking(stage));

/** The offer, which must be one. */
export async function offered(
  stage: ContextStage,
  payment: SponsoredTransfer,
): Promise<SponsorshipOffer & { readonly bytes: Uint8Array }> {
  const outcome = await askOffer(stage, payment);
  if (!outcome.ok) throw new Error(`${outcome.refusal}: ${JSON.stringify(outcome.details)}`);
  return { ...outcome.value, bytes: Buffer.from(outcome.value.message, 'base64') };
}

/** Hands in signed bytes. */
export const submit = (
  stage: ContextStage,
  { payment_id, customer_wallet, client_address }: SponsoredTransfer,
  signed: Uint8Array | string,
): Promise<Outcome> => {
  const signed_transaction = typeof signed === 'string' ? signed : base64(signed);
  const input = { payment_id, customer_wallet, client_address, signed_transaction };
  return stage.runtime.calls.ask(sponsorTransaction, input, asking(stage)) as Promise<Outcome>;
};

/** Offer, customer’s signature, submission. */
export async function paid(stage: ContextStage, payment: SponsoredTransfer, customer: Signer) {
  const { bytes } = await offered(stage, payment);
  return submit(stage, payment, signedBy(bytes, customer));
}

/** The signature, which there must be. */
export function signatureOf(outcome: Outcome): string {
  if (outcome.ok) return outcome.value.transaction_signature;
  throw new Error(`${outcome.refusal}: ${JSON.stringify(outcome.details)}`);
}

/** How the sponsored transaction of a payment has ended, once the log says so. */
export async function ended(stage: ContextStage, payment_id: string): Promise<string> {
  for (;;) {
    const state = await sponsorship.load(stage.runtime, 'test', payment_id);
    if (state && state.status !== 'offered' && state.status !== 'in_flight') return state.status;
    await sleep(20);
  }
}

/** What the network takes for a message. */
export const feeOf = (message: Uint8Array): bigint => transactionFee(readMessage(message));
