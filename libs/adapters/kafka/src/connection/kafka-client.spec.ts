import { createRequire } from 'node:module';
import { logLevel } from 'kafkajs';
import { kafkaClient } from './kafka-client';

interface RequestQueue {
  readonly pending: object[];
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

const silent = { namespace: () => silent, debug: () => undefined };

test('a queue of a client sets a timer while a request waits, and none with a time that is over', () => {
  kafkaClient({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  const load = createRequire(__filename);
  const Queue = load('kafkajs/src/network/requestQueue') as new (parts: object) => RequestQueue;
  const queue = new Queue({ logger: silent, requestTimeout: 1, isConnected: () => true });
  const delays = jest.spyOn(globalThis, 'setTimeout');
  queue.scheduleCheckPendingRequests();
  expect(delays).not.toHaveBeenCalled();
  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  expect(delays.mock.calls.map(([, delay_ms]) => Number(delay_ms) > 0)).toEqual([true]);
  queue.destroy();
  delays.mockRestore();
});
