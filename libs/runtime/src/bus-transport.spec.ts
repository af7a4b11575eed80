import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { memoryBus, memoryEventStore } from '@tender/adapter-memory';
import { creditAllocated, watchClosed } from '@tender/contracts';
import type { Bus, PublicEvent, Publishing, Subscription } from '@tender/eventing';
import { conformanceRetryDelay, sampleEvent } from '@tender/eventing/testing';
import { Reacts, type Delivery } from '@tender/http';
import { BusTransport } from './bus-transport';

const heard: [string, string[], boolean][] = [];
const failure = new Error('the row is locked');
let failures_left = Number.POSITIVE_INFINITY;

@Controller()
class Reactors {
  @Reacts('payments.confirm-on-credit', [creditAllocated, watchClosed])
  confirm(@Payload() batch: readonly PublicEvent[], @Ctx() delivery: Delivery): void {
    heard.push(['confirm', batch.map(({ id }) => id), delivery.tx !== undefined]);
  }

  @Reacts('payments.count', [creditAllocated, watchClosed], { mixed: true })
  count(@Payload() batch: readonly PublicEvent[]): void {
    heard.push(['count', batch.map(({ id }) => id), true]);
  }

  @Reacts('payments.record-receipt', [creditAllocated])
  async record(@Payload() batch: readonly PublicEvent[]): Promise<void> {
    failures_left -= 1;
    if (failures_left >= 0) throw failure;
    heard.push(['record', batch.map(({ id }) => id), true]);
  }
}

@Module({ controllers: [Reactors] })
class ReactorsModule {}

async function subscriptions(
  hearing: Parameters<BusTransport['subscribe']>[0] = {},
): Promise<Map<string, Subscription>> {
  const found = new Map<string, Subscription>();
  const bus: Bus = {
    consume: async (subscription) => {
      found.set(subscription.consumer, subscription);
      const rests = { idle: async () => undefined, nextTry: async () => null };
      return { ...rests, stop: async () => undefined };
    },
  };
  const transport = new BusTransport(bus);
  const app = await NestFactory.createMicroservice(ReactorsModule, {
    strategy: transport,
    logger: false,
  });
  await app.listen();
  expect(found.size).toBe(0);
  await transport.subscribe(hearing);
  return found;
}

/** The indexer's events are their own facts; payments only listens. */
const contexts: readonly Publishing[] = [
  {
    name: 'chain-indexer',
    schema: 'chain_indexer',
    publishes: { categories: ['watch.test'], publish: ({ type, data }) => ({ type, data }) },
  },
  { name: 'payments', schema: 'payments', publishes: { categories: [], publish: () => null } },
];

const event = (id: string, type: string) => ({ id, type }) as PublicEvent;
const tx = { query: async () => [], afterCommit: () => undefined };

test('two reactors of one event have a subscription each', async () => {
  const found = await subscriptions();
  expect([...found.keys()].sort()).toEqual([
    'payments.confirm-on-credit',
    'payments.count',
    'payments.record-receipt',
  ]);
  expect(found.get('payments.confirm-on-credit')?.types).toEqual([
    'chain-indexer.credit-allocated.v1',
    'chain-indexer.watch-closed.v1',
  ]);
});

test('a context hears of its own consumer, and of none that is not there', async () => {
  const onTakeOver = (): void => undefined;
  const found = await subscriptions({ 'payments.record-receipt': { onTakeOver } });
  expect(found.get('payments.record-receipt')?.onTakeOver).toBe(onTakeOver);
  expect(found.get('payments.confirm-on-credit')?.onTakeOver).toBeUndefined();
  await expect(subscriptions({ 'payments.unknown': { onTakeOver } })).rejects.toThrow('is a consumer');
});

test('a batch reaches the reactor in order, as runs of one type, with the transaction', async () => {
  const found = await subscriptions();
  heard.length = 0;
  const [credit, close] = ['chain-indexer.credit-allocated.v1', 'chain-indexer.watch-closed.v1'];
  await found
    .get('payments.confirm-on-credit')
    ?.handler([event('1', credit), event('2', credit), event('3', close)], tx);
  expect(heard).toEqual([
    ['confirm', ['1', '2'], true],
    ['confirm', ['3'], true],
  ]);
});

test('a reactor that takes its types mixed gets them in one batch', async () => {
  const found = await subscriptions();
  heard.length = 0;
  const [credit, close] = ['chain-indexer.credit-allocated.v1', 'chain-indexer.watch-closed.v1'];
  const batch = [event('1', credit), event('2', close), event('3', credit)];
  await found.get('payments.count')?.handler(batch, tx);
  expect(heard).toEqual([['count', ['1', '2', '3'], true]]);
});

test('a reactor that throws gives the bus its own error', async () => {
  const found = await subscriptions();
  const delivered = found
    .get('payments.record-receipt')
    ?.handler([event('1', 'chain-indexer.credit-allocated.v1')], tx);
  await expect(delivered).rejects.toBe(failure);
});

test('a reactor that throws hears the event again, and holds up no other reactor of it', async () => {
  const eventStore = memoryEventStore();
  const clock = { now: () => 0, wall: () => performance.timeOrigin + performance.now() };
  const bus = memoryBus({ eventStore, contexts, clock, retry_delay_ms: conformanceRetryDelay });
  const transport = new BusTransport(bus);
  const app = await NestFactory.createMicroservice(ReactorsModule, {
    strategy: transport,
    logger: false,
  });
  await app.listen();
  await transport.subscribe();
  heard.length = 0;
  const credit = sampleEvent('watch.test-1', {}, { type: 'chain-indexer.credit-allocated.v1' });
  await eventStore.append('watch.test-1', [credit], 'no_stream');

  await transport.idle();
  expect(heard.map(([reactor]) => reactor).sort()).toEqual(['confirm', 'count']);
  failures_left = 1;
  while (heard.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(heard[2]?.[0]).toBe('record');
  expect(heard[2]?.[1]).toEqual(heard[0]?.[1]);
  expect(failures_left).toBe(-1);
  await app.close();
  await bus.close();
  await eventStore.close();
});
