import { PassThrough } from 'node:stream';
import { status } from '@grpc/grpc-js';
import { Unavailable } from '@tender/eventing';
import type { ClientInsides } from './client-connection';
import { LogClient } from './log-client';
import { newestRequest } from './requests';

/** A client whose one call ends before the test has begun to read it. */
function endingEarly(code: status): LogClient {
  const call = new PassThrough({ objectMode: true });
  const insides = {
    callArguments: () => [],
    GRPCStreamCreator:
      (_client: unknown, _name: string, creator: (client: unknown) => unknown) => () => {
      creator({ read: () => Object.assign(call, { cancel: () => call.destroy() }) });
      call.end();
      const ending = { code, details: 'meant', metadata: undefined };
      if (code !== status.OK) call.emit('error', Object.assign(new Error('meant'), ending));
      call.emit('status', ending);
      return new Promise((resolve) => setImmediate(() => resolve(call)));
    },
  } as unknown as ClientInsides;
  const client = new LogClient('esdb://127.0.0.1:1?tls=false');
  Object.assign(client, { connection: { current: insides, lost: () => undefined } });
  return client;
}

async function messagesOf(client: LogClient): Promise<number> {
  let count = 0;
  for await (const _ of client.read(newestRequest(1), 120_000)) count += 1;
  return count;
}

describe('a read', () => {
  it('is whole when the server says so', async () => {
    expect(await messagesOf(endingEarly(status.OK))).toBe(0);
  });

  it.each([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.INTERNAL])(
    'that failed (%s) before it was listened to is not an empty one',
    async (code) => {
      await expect(messagesOf(endingEarly(code))).rejects.toThrow(Unavailable);
    },
  );
});
