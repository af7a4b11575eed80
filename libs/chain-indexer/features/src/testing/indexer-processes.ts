import { memoryEventStore, seededRandom, silentLog } from '@tender/adapter-memory';
import { embeddedBus, postgresReadModels, realDelays } from '@tender/adapter-postgres';
import { inProcessCalls } from '@tender/adapter-system';
import type { Bus, EventStore, ReadModels } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { BusTransport } from '@tender/runtime';
import {
  startTestPostgres,
  systemClock,
  type TestPostgres,
} from '@tender/adapter-postgres/testing';
import { chainIndexerContext } from '../chain-indexer.context';
import { IndexerStage, speakers } from './indexer-stage';
import { ScriptedChain, type ScriptedTransfer } from './scripted-chain';

export type Store = ReturnType<typeof memoryEventStore>;

export interface Faults {
  readonly bus?: (bus: Bus) => Bus;
  readonly store?: (store: Store) => Partial<EventStore>;
  readonly readModels?: (readModels: ReadModels) => Partial<ReadModels>;
}

/** Indexers over one log, one database and one chain; several may live at once. */
class IndexerProcesses {
  readonly closers: (() => Promise<void>)[] = [];
  private skipped_ms = 0;
  private readonly wall = (): number => systemClock.wall() + this.skipped_ms;
  readonly clock: Clock = { now: this.wall, wall: this.wall };
  private postgres: TestPostgres | null = null;
  private connectionString = '';
  private eventStore: Store = memoryEventStore();
  /** Of test mode. */
  chain = new ScriptedChain();
  /** Of live mode. */
  live = new ScriptedChain('finalized');
  private seed = 1;

  async begin(): Promise<void> {
    this.postgres = await startTestPostgres();
  }

  async end(): Promise<void> {
    await this.postgres?.stop();
  }

  /** Chains that begin, a log and a database that are empty. */
  async renew(): Promise<void> {
    this.connectionString = (await this.postgres?.database()) ?? '';
    const eventStore = memoryEventStore({ wall: this.wall });
    this.eventStore = eventStore;
    this.closers.push(() => eventStore.close());
    this.chain = new ScriptedChain();
    this.live = new ScriptedChain('finalized');
  }

  async open(faults: Faults = {}): Promise<IndexerStage> {
    const { connectionString, eventStore, chain, live, clock } = this;
    const tables = postgresReadModels({
      connectionString,
      schemas: [chainIndexerContext.schema],
      migrations: chainIndexerContext.migrations,
      log: silentLog,
    });
    await tables.start();
    const readModels = { ...tables, ...faults.readModels?.(tables) };
    const contexts = [chainIndexerContext, ...speakers];
    const ports = { clock, log: silentLog };
    const embedded = embeddedBus({ eventStore, readModels: tables, contexts, ...ports });
    const bus = faults.bus?.(embedded) ?? embedded;
    const store = Object.create(eventStore) as Store;
    const stage = new IndexerStage({
      eventStore: Object.assign(store, eventStore, faults.store?.(eventStore)),
      bus,
      readModels,
      calls: inProcessCalls(realDelays),
      clock,
      random: seededRandom((this.seed += 1)),
      log: silentLog,
      chains: { test: chain, live },
      transport: new BusTransport(bus),
    });
    await stage.open();
    let closed = false;
    this.closers.push(async () => {
      if (closed) return;
      closed = true;
      await stage.close();
      await embedded.close();
      await tables.close();
    });
    return stage;
  }

  /** One that waits for the payment `p1` of `m1`, whose wallet is alice's, until 1000. */
  async waiting(faults?: Faults): Promise<IndexerStage> {
    const stage = await this.open(faults);
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    return stage;
  }

  /** The clock of all processes jumps ahead. */
  skip(by_ms: number): void {
    this.skipped_ms += by_ms;
  }

  async closeLast(): Promise<void> {
    await this.closers.pop()?.();
  }

  async closeAll(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) await close();
  }
}

/** Those of the spec that calls it: each test finds chains, log and database new, and what it opens is closed. */
export function indexerProcesses(): IndexerProcesses {
  const processes = new IndexerProcesses();
  beforeAll(() => processes.begin());
  afterAll(() => processes.end());
  beforeEach(() => processes.renew());
  afterEach(() => processes.closeAll());
  return processes;
}

/** What a context names when it asks the indexer. */
export const ASKING = { mode: 'test', correlation_id: 'c-1' } as const;

/** What the indexer publishes of `pay()`. */
export const ALLOCATED = ['credit-allocated', 'p1', '100'];

export const pay = (id = 'p1', more: Partial<ScriptedTransfer> = {}): ScriptedTransfer => ({
  to: 'alice',
  amount: 100n,
  references: [`ref-${id}`],
  ...more,
});

export async function slotOf(stage: IndexerStage): Promise<number | undefined> {
  const cursor = `select slot::int from chain_indexer.cursors where mode = 'test'`;
  return (await stage.runtime.readModels.query<{ slot: number }>(cursor))[0]?.slot;
}

/** Asks again and again until it holds; what never holds ends with the time that jest gives a test. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
