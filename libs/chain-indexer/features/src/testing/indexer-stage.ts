import { Global, Module, type INestMicroservice, type ValueProvider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PaymentFact, TransactionSubmittedFact } from '@tender/contracts';
import {
  noTelemetry,
  streamName,
  type Bus,
  type Calls,
  type EventStore,
  type NewEvent,
  type OfLeader,
  type Publication,
  type ReadModels,
  type Runtime,
  type StoredEvent,
  type Worker,
} from '@tender/eventing';
import { RUNTIME, type OpenContext, type Term } from '@tender/http';
import { isoTime, type Clock, type Mode } from '@tender/kernel';
import type { BusTransport } from '@tender/runtime';
import { ChainIndexerModule } from '../chain-indexer.module';
import { CHAIN_INDEXER, openChainIndexer, type ChainIndexer, type IndexedNetwork } from '../chain-indexer';
import type { NetworkMemory } from '../network-memory/network-memory';
import { publishChainIndexer } from '../publish-chain-indexer';
import { snapshotOf, type PaymentScript } from './payment-script';
import type { ScriptedChain } from './scripted-chain';

/** The other contexts, as far as the indexer hears them: each event's data is its public fact. */
export const speakers = [
  {
    name: 'payments',
    schema: 'payments',
    publishes: { categories: ['payment.test', 'payment.live'] as const, publish: publishData },
  },
  { name: 'accounts', schema: 'accounts', publishes: { categories: ['merchant.all'] as const, publish: publishData } },
  {
    name: 'treasury',
    schema: 'treasury',
    publishes: { categories: ['operatingwallet.test', 'operatingwallet.live'] as const, publish: publishData },
  },
] as const;

function publishData(event: StoredEvent): Publication {
  return { type: event.type, data: event.data };
}

export interface StageParts {
  readonly eventStore: EventStore & { readonly all: readonly StoredEvent[] };
  readonly bus: Bus;
  readonly readModels: ReadModels;
  readonly calls: Calls;
  readonly clock: Clock;
  readonly random: Runtime['random'];
  readonly log: Runtime['log'];
  readonly chains: Readonly<Record<Mode, ScriptedChain>>;
  readonly transport: BusTransport;
}

/** The indexer as the program runs it: its Nest module on the bus, its workers, scripted chains. */
export class IndexerStage {
  private app: INestMicroservice | null = null;
  private readonly opened: Required<OpenContext>;
  private term: Term | null = null;
  readonly runtime: Runtime;

  constructor(private readonly parts: StageParts) {
    // The indexer asks nothing of the other ports.
    this.runtime = { ...parts, telemetry: noTelemetry } as unknown as Runtime;
    this.opened = openChainIndexer(this.runtime);
  }

  async open(): Promise<void> {
    const { runtime, opened } = this;
    const providers = [{ provide: RUNTIME, useValue: runtime }, ...opened.providers];
    @Global()
    @Module({ providers, exports: providers })
    class Ports {}
    @Module({ imports: [Ports, ChainIndexerModule] })
    class Program {}
    this.app = await NestFactory.createMicroservice(Program, {
      strategy: this.parts.transport,
      logger: false,
    });
    await this.app.listen();
    this.term = opened.beginTerm();
    await this.parts.transport.subscribe(this.term.hearing);
    for (const worker of this.followers()) await worker.start();
  }

  async close(): Promise<void> {
    await this.stopFollowing();
    await this.app?.close();
  }

  async stopFollowing(): Promise<void> {
    for (const worker of this.followers()) await worker.stop();
  }

  /** Resolves when the indexer has heard what was published and read what has landed. */
  async idle(): Promise<void> {
    await this.parts.transport.idle();
    await Promise.all(this.followers().map((worker) => worker.idle?.()));
    await Promise.all(this.followers().map((worker) => worker.idle?.()));
  }

  /** Null: its wallet is still to be made. */
  async registerMerchant(merchant_id: string, wallet_address: string | null): Promise<void> {
    const data = { merchant_id, wallet_address, webhook_url: null, created_at: isoTime(0) };
    await this.append('merchant', 'all', merchant_id, 'accounts.merchant-registered.v1', data);
  }

  /** The wallet of a merchant who was registered without one is made. */
  async createWallet(merchant_id: string, wallet_address: string): Promise<void> {
    const data = { merchant_id, wallet_address, webhook_url: null, created_at: isoTime(0) };
    const type = 'accounts.wallet-created.v1';
    await this.append('merchant', 'all', merchant_id, type, data, { revision: 0 });
  }

  async openOperatingWallet(
    merchant_id: string,
    operating_wallet_address: string,
    mode: Mode = 'test',
  ): Promise<void> {
    const data = { merchant_id, operating_wallet_address, opened_at: isoTime(0) };
    const type = 'treasury.operating-wallet-opened.v1';
    await this.append('operatingwallet', mode, merchant_id, type, data);
  }

  /** What treasury says before it sends a settlement of the merchant’s operating wallet. */
  async signTransfer(merchant_id: string, transaction_signature: string): Promise<void> {
    const transfer = { transfer_id: transaction_signature, type: 'settlement', merchant_id } as const;
    const moved = { from: `operating-${merchant_id}`, to: 'alice', asset: 'USDC', amount: '100' };
    const data = { transfer: { ...transfer, ...moved }, transaction_signature };
    const id = `${merchant_id}-${transaction_signature}`;
    await this.append('operatingwallet', 'test', id, 'treasury.transfer-signed.v1', data);
  }

  async createPayment(script: PaymentScript): Promise<void> {
    const { mode = 'test', id } = script;
    const data: PaymentFact = { payment: snapshotOf(script), webhook_url: null };
    await this.append('payment', mode, id, 'payments.payment-created.v1', data);
  }

  /** What payments says of a transaction that was handed in for the payment of that script. */
  async submit(
    { id, merchant_id = 'm1', mode = 'test', expires_at }: PaymentScript,
    submission: { readonly transaction_signature: string } & Partial<TransactionSubmittedFact>,
  ): Promise<void> {
    const data: TransactionSubmittedFact = {
      ...{ payment_id: id, merchant_id, customer_wallet: 'customer', is_ours: true },
      ...{ signed_transaction: null, last_valid_block_height: null },
      expires_at: isoTime(expires_at * 1000),
      ...submission,
    };
    const type = 'payments.transaction-submitted.v1';
    await this.append('payment', mode, id, type, data, { revision: 0 });
  }

  /** The payment has ended in another way than by its own watch. */
  async endPayment(script: PaymentScript, type: string, status: PaymentFact['payment']['status']) {
    const { mode = 'test', id } = script;
    const data: PaymentFact = { payment: { ...snapshotOf(script), status }, webhook_url: null };
    await this.append('payment', mode, id, type, data, { revision: 1 });
  }

  /** The indexer's public facts, oldest first: type without its context and version, then the data. */
  facts(): (readonly [string, Record<string, unknown>])[] {
    return this.parts.eventStore.all.flatMap((event) => {
      if (!event.stream.startsWith('watch.') && !event.stream.startsWith('credit.')) return [];
      const publication = publishChainIndexer(event);
      if (!publication) return [];
      const name = publication.type.replace(/^chain-indexer\.(.*)\.v1$/, '$1');
      return [[name, publication.data as Record<string, unknown>] as const];
    });
  }

  /** `['credit-allocated', 'pay_1', '100']` or `['money-received', 'pay_1', 'short', '1']`. */
  published(): unknown[][] {
    return this.facts().map(([name, { payment_id, reason, amount }]) =>
      [name, payment_id, ...(reason ? [reason] : []), ...(amount ? [amount] : [])],
    );
  }

  /** Of all that the indexer has appended. */
  correlations(): string[] {
    const own = this.parts.eventStore.all.filter(({ stream }) => /^(?:watch|credit)\./.test(stream));
    return own.map(({ metadata }) => metadata.correlation_id);
  }

  network(mode: Mode = 'test'): IndexedNetwork {
    const leading = this.opened.providers.find(
      (one) => (one as ValueProvider).provide === CHAIN_INDEXER,
    ) as ValueProvider<OfLeader<ChainIndexer>>;
    return leading.useValue.now()[mode];
  }

  memory(mode?: Mode): NetworkMemory {
    return this.network(mode).memory;
  }

  private followers(): readonly Worker[] {
    return this.term?.workers ?? [];
  }

  private async append(
    noun: string,
    mode: Mode | 'all',
    id: string,
    type: string,
    data: object,
    after: { readonly revision: number } | null = null,
  ) {
    const { clock, random, eventStore } = this.parts;
    const event: NewEvent = {
      type,
      data,
      metadata: {
        id: random.uuid(),
        type,
        schema_version: 1,
        mode,
        merchant_id: null,
        subject_ids: [],
        actor: 'test',
        command_id: random.uuid(),
        body_hash: null,
        correlation_id: `correlation-of-${id}`,
        causation_id: null,
        occurred_at: isoTime(clock.now()),
        recorded_at: isoTime(clock.wall()),
        prev_hash: null,
      },
    };
    await eventStore.append(streamName(noun, mode, id), [event], after?.revision ?? 'no_stream');
  }
}
