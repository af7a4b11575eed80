import { createRequire } from 'node:module';
import { logLevel } from 'kafkajs';
import { kafkaClient } from './kafka-client';

interface RequestQueue {
  readonly pending: object[];
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  readonly inflight: Map<number, object>;
  destroy(): void;
}

const silent = { namespace: () => silent, debug: () => undefined };

const queueOf = (parts: object): RequestQueue => {
  kafkaClient({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  const load = createRequire(__filename);
  const Queue = load('kafkajs/src/network/requestQueue') as new (parts: object) => RequestQueue;
  return new Queue({ logger: silent, isConnected: () => true, ...parts });
};

test('a queue of a client sets a timer while a request waits, and none with a time that is over', () => {
  const queue = queueOf({ requestTimeout: 1 });
  const delays = jest.spyOn(globalThis, 'setTimeout');
  queue.scheduleCheckPendingRequests();
  expect(delays).not.toHaveBeenCalled();
  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  expect(delays.mock.calls.map(([, delay_ms]) => Number(delay_ms) > 0)).toEqual([true]);
  queue.destroy();
  delays.mockRestore();
});

test('requests that have waited too long are ended, by one timer for all connections, while one is connected', () => {
  jest.useFakeTimers();
  let isConnected = true;
  const ended: string[] = [];
  const queues = ['one', 'other'].map((name) => {
    const requestTimeout = 8_000;
    const parts = { requestTimeout, enforceRequestTimeout: true, isConnected: () => isConnected };
    const queue = queueOf(parts);
    const timeoutRequest = () => ended.push(name);
    queue.inflight.set(1, { sentAt: Date.now(), requestTimeout, timeoutRequest });
    queue.scheduleRequestTimeoutCheck();
    return queue;
  });
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(8_000);
  expect(ended).toEqual([]);
  jest.advanceTimersByTime(1_000);
  expect(ended).toEqual(['one', 'other']);
  for (const queue of queues) queue.inflight.clear();
  isConnected = false;
  jest.advanceTimersByTime(1_000);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});
