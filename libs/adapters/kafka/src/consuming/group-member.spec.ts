import type { Delays, Log } from '@tender/eventing';
import type { Batch, ConsumerRunConfig, EachBatchPayload } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection';
import { GroupMember } from './group-member';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Nothing takes too long here; what waits for the pace goes on when the test says so. */
const paces: (() => void)[] = [];
const delays: Delays = {
  after(delay_ms, work) {
    if (delay_ms === 50) paces.push(work);
    return () => undefined;
  },
};

/** A consumer as kafkajs has it: to disconnect ends what runs, and no join that is under way. */
class ConsumerDouble {
  readonly connected = Promise.withResolvers<void>();
  readonly connecting = Promise.withResolvers<void>();
  readonly disconnected = Promise.withResolvers<void>();
  readonly left = Promise.withResolvers<void>();
  readonly events = { CRASH: 'crash', HEARTBEAT: 'beat', GROUP_JOIN: 'join', FETCH: 'fetch' };
  is_member = false;
  resolved = 0;
  private config: ConsumerRunConfig = {};
  private onFetch = (): void => undefined;
  on(event: string, listener: () => void) {
    if (event === this.events.FETCH) this.onFetch = listener;
    return () => undefined;
  }
  subscribe = async () => undefined;
  connect(): Promise<void> {
    this.connecting.resolve();
    return this.connected.promise;
  }
  async run(config: ConsumerRunConfig): Promise<void> {
    this.config = config;
    this.is_member = true;
  }
  /** A fetch that has brought so many records of each of these partitions. Answers whether the next one waits. */
  async fetches(...counts: readonly number[]): Promise<{ waits: boolean }> {
    this.onFetch();
    let waits = true;
    const all = counts.map((count) => this.config.eachBatch?.(this.batchOf(count)));
    void Promise.all(all).then(() => (waits = false));
    await new Promise(setImmediate);
    return { waits };
  }
  private batchOf(count: number): EachBatchPayload {
    const batch = { messages: Array.from({ length: count }), lastOffset: () => String(count - 1) };
    return {
      batch: batch as unknown as Batch,
      isStale: () => false,
      resolveOffset: () => (this.resolved += 1),
    } as unknown as EachBatchPayload;
  }
  async disconnect(): Promise<void> {
    this.disconnected.resolve();
    if (this.is_member) this.left.resolve();
    this.is_member = false;
  }
}

function memberOf(consumer: ConsumerDouble, onBatch = (): void => undefined): GroupMember {
  const connection = { admin: async () => undefined, kafka: { consumer: () => consumer } };
  return new GroupMember({
    ...{ connection: connection as unknown as KafkaConnection, group: 'readers', topics: () => ['t'] },
    ...{ partitions: 1, session_timeout_ms: 6_000, delays, log },
    onAssigned: () => undefined,
    onBatch,
  });
}

test('a member that is stopped while it joins leaves the group once it has joined', async () => {
  const consumer = new ConsumerDouble();
  const member = memberOf(consumer);
  member.start();
  await consumer.connecting.promise;
  const stopped = member.stop();
  await consumer.disconnected.promise;
  consumer.connected.resolve();
  await consumer.left.promise;
  await stopped;
  expect(consumer.is_member).toBe(false);
});

test('a member that is stopped in its group leaves it', async () => {
  const consumer = new ConsumerDouble();
  consumer.connected.resolve();
  const member = memberOf(consumer);
  member.start();
  while (!consumer.is_member) await new Promise(setImmediate);
  await member.stop();
  expect(consumer.is_member).toBe(false);
});

test('after four fetches that brought little the next one waits, with every batch handed on and resolved before', async () => {
  const consumer = new ConsumerDouble();
  consumer.connected.resolve();
  let handed_on = 0;
  const member = memberOf(consumer, () => (handed_on += 1));
  member.start();
  while (!consumer.is_member) await new Promise(setImmediate);
  for (let fetch = 0; fetch < 3; fetch += 1) {
    expect(await consumer.fetches(1, 1)).toEqual({ waits: false });
  }
  expect(await consumer.fetches(1, 1)).toEqual({ waits: true });
  expect([handed_on, consumer.resolved]).toEqual([8, 8]);
  expect(await consumer.fetches(500)).toEqual({ waits: false });
  paces.shift()?.();
  paces.shift()?.();
  expect(await consumer.fetches(1)).toEqual({ waits: false });
  await member.stop();
});
