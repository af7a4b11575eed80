import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { endServer } from './end-server';

const MORE_THAN_ANY_BUFFER = Buffer.alloc(32 * 1024 * 1024);

test('a client that does not read its answer does not hold up the end', async () => {
  const server = createServer((_, response) => {
    Readable.from([MORE_THAN_ANY_BUFFER, 'the rest']).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await once(server, 'request');

  const close = promisify(server.close.bind(server));
  await endServer({ getHttpServer: () => server, close }, 20);
  expect(server.listening).toBe(false);
  client.destroy();
});
