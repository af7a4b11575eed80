import type { Delays, Log } from '@tender/eventing';
import type { KafkaConnection } from '../connection/kafka-connection';
import { GroupMember } from './group-member';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Nothing takes too long here. */
const delays: Delays = { after: () => () => undefined };

/** A consumer as kafkajs has it: to disconnect ends what runs, and no join that is under way. */
class ConsumerDouble {
  readonly connected = Promise.withResolvers<void>();
  readonly connecting = Promise.withResolvers<void>();
  readonly disconnected = Promise.withResolvers<void>();
  readonly left = Promise.withResolvers<void>();
  readonly events = { CRASH: 'crash', HEARTBEAT: 'beat', GROUP_JOIN: 'join', FETCH: 'fetch' };
  is_member = false;
  on = () => () => undefined;
  subscribe = async () => undefined;
  connect(): Promise<void> {
    this.connecting.resolve();
    return this.connected.promise;
  }
  async run(): Promise<void> {
    this.is_member = true;
  }
  async disconnect(): Promise<void> {
    this.disconnected.resolve();
    if (this.is_member) this.left.resolve();
    this.is_member = false;
  }
}

function memberOf(consumer: ConsumerDouble): GroupMember {
  const connection = { admin: async () => undefined, kafka: { consumer: () => consumer } };
  return new GroupMember({
    ...{ connection: connection as unknown as KafkaConnection, group: 'readers', topics: () => ['t'] },
    ...{ partitions: 1, session_timeout_ms: 6_000, delays, log },
    onAssigned: () => undefined,
    onBatch: () => undefined,
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
