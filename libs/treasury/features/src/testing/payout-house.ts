import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestLocalnet } from '@tender/adapter-solana/testing';
import { checkSanctions, describeTransfer, requestTransfer, type RequestedTransfer } from '@tender/contracts';
import type { Chain, ChainTransaction } from '@tender/eventing';
import type { Token } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import type { Operation } from '@tender/threshold';
import { markerOf, signerOf, type Signer } from '@tender/transactions';
import { freshTestWallet } from '@tender/transactions/testing';
import type { KnownTransfer } from '@tender/treasury-domain';
import { keyInMemory, type FeeKey } from '../fee-key';
import type { Custody, SigningResult, SignTransfer } from '../outgoing-transfer/custody';
import { outgoingTransfer } from '../outgoing-transfer/outgoing-transfer.aggregate';
import { treasuryHouse } from './treasury-stage';

/** In place of signers: one key, whose address is the wallet’s. It signs what it is asked, unless a test says no. */
export class OneKeyCustody implements Custody {
  readonly wallet: Signer = freshTestWallet();
  readonly asked: Operation[] = [];
  settlement_wallet: string | null = null;
  is_ready = true;
  /** The next answers in place of a signature. */
  readonly answers: Exclude<SigningResult, { ok: true }>[] = [];
  /** Nothing is answered before. */
  held: Promise<void> | null = null;
  /** In place of all answers. */
  always: Exclude<SigningResult, { ok: true }> | null = null;

  async walletOf() {
    const { settlement_wallet } = this;
    return this.is_ready ? { address: this.wallet.address, settlement_wallet } : null;
  }

  readonly sign: SignTransfer = async (_, op, message) => {
    if (op.wallet !== this.wallet.address) throw new Error('another wallet is to sign');
    this.asked.push(op);
    await this.held;
    const answer = this.always ?? this.answers.shift();
    return answer ?? { ok: true, signature: this.wallet.sign(message) };
  };
}

/** A local chain with a wallet whose money is to leave, and treasury, which sends it. */
export class PayoutHouse {
  private house: Awaited<ReturnType<typeof treasuryHouse>> | null = null;
  readonly local = new TestLocalnet();
  readonly custody = new OneKeyCustody();
  /** What fraud says of these wallets; of others, that they are not sanctioned. */
  readonly sanctions = new Map<string, { sanctioned: boolean } | null>();
  /** Of which wallets fraud was asked. */
  readonly screened: string[] = [];
  private readonly secret = randomBytes(32);
  readonly key: FeeKey = keyInMemory(this.secret);
  readonly fee_signer: Signer = signerOf(this.secret);

  async start(): Promise<void> {
    [this.house] = await Promise.all([treasuryHouse(), this.local.start()]);
    await this.give(this.key.address, 'SOL', 1_000_000_000n);
    await this.give(this.wallet, 'USDC', 100_000_000n);
  }

  async close(): Promise<void> {
    await this.house?.close();
    await this.local.stop();
  }

  get wallet(): string {
    return this.custody.wallet.address;
  }

  get chain(): Chain {
    return this.local.chain;
  }

  /** A process of treasury in place of the one before; `changes`: how the chain looks to it. */
  async open(
    changes: Partial<Chain> = {},
    payouts: { readonly key?: FeeKey; readonly lamports_day?: bigint } = {},
  ): Promise<ContextStage> {
    if (this.house === null) throw new Error('the house has not been started');
    const chain: Chain = Object.assign(Object.create(this.chain) as Chain, changes);
    const stage = await this.house.open({
      ports: { chains: { test: chain, live: this.chain } },
      sponsor: null,
      payouts: { key: this.key, custody: this.custody, ...payouts },
    });
    stage.runtime.calls.answer(checkSanctions, async ({ wallet }) => {
      this.screened.push(wallet);
      const said = this.sanctions.get(wallet);
      return said === undefined ? { sanctioned: false } : said;
    });
    return stage;
  }

  async give(address: string, token: Token, amount: bigint): Promise<void> {
    await this.local.control('localnet_faucet', { address, token, amount: amount.toString() });
  }

  async lamports(address: string = this.key.address): Promise<bigint> {
    return (await this.chain.accounts([address]))[0]?.lamports ?? 0n;
  }

  tokens = async (wallet: string): Promise<bigint> => (await this.chain.balances(wallet)).USDC;

  /** 10 USDC back to a new wallet. */
  refund(changes: Partial<RequestedTransfer> = {}): RequestedTransfer & { readonly to: string } {
    return {
      transfer_id: `rf_test_${randomBytes(8).toString('hex')}`,
      type: 'refund',
      merchant_id: 'merchant-1',
      asset: 'USDC',
      amount: '10000000',
      credit: 'the transaction that paid',
      ...changes,
      to: changes.to ?? freshTestWallet().address,
    };
  }

  /** What has moved money for it on the chain. */
  async moved({ transfer_id }: RequestedTransfer): Promise<readonly ChainTransaction[]> {
    const marker = markerOf(this.wallet, transfer_id).address;
    return (await this.chain.transactionsOf(marker, 0)).filter(
      ({ failed, fee_payer, changes }) =>
        !failed &&
        fee_payer === this.key.address &&
        changes.some(({ owner }) => owner === this.wallet),
    );
  }

  /** Every blockhash that was given until now is dead at finalized. */
  async killBlockhashes(): Promise<void> {
    await this.local.control('localnet_warpSlots', { slots: 12_200 });
  }
}

const asking = (stage: ContextStage) => ({
  mode: 'test' as const,
  correlation_id: stage.runtime.random.uuid(),
  command_id: stage.runtime.random.uuid(),
});

export const ask = (stage: ContextStage, transfer: RequestedTransfer) =>
  stage.runtime.calls.ask(requestTransfer, transfer, asking(stage));

export const described = (stage: ContextStage, { transfer_id }: RequestedTransfer) =>
  stage.runtime.calls.ask(describeTransfer, { transfer_id }, asking(stage));

/** The transfer, once the log has it so. */
export async function once(
  stage: ContextStage,
  { transfer_id }: RequestedTransfer,
  is: (state: KnownTransfer) => boolean,
): Promise<KnownTransfer> {
  for (;;) {
    const state = await outgoingTransfer.load(stage.runtime, 'test', transfer_id);
    if (state !== null && is(state)) return state;
    await sleep(20);
  }
}

export const ended = (stage: ContextStage, transfer: RequestedTransfer): Promise<KnownTransfer> =>
  once(stage, transfer, ({ status }) => status === 'completed' || status === 'failed');

export const signed = (stage: ContextStage, transfer: RequestedTransfer): Promise<KnownTransfer> =>
  once(stage, transfer, ({ attempts }) => attempts.length > 0);
