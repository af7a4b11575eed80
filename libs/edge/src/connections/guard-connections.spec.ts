import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { sendPage } from '../answering/shared-page';
import { bearer, EdgeStage, TEST_KEY } from '../testing/edge-stage';
import { listen } from '../testing/route-stage';
import { STALLED_LOOKS_MAX, WAITING_MAX } from './guard-connections';

/** More than the buffers of the system hold between two programs of one machine. */
const HUGE = { content_type: 'text/plain', bytes: Buffer.alloc(64 * 1024 * 1024) };

let stage: EdgeStage;
let port: number;
/** The server’s ends of its connections. */
let served: Socket[];
let clients: Socket[];
/** What waits for its answer; null: all are answered at once. */
let held: ((answer: object) => void)[] | null;

beforeEach(async () => {
  [served, clients, held] = [[], [], null];
  stage = new EdgeStage({
    routes: [listen],
    config: { rate_limits: 'off', requests_max: WAITING_MAX + 1 },
    handlers: {
      listen: () => new Readable({ read: () => undefined }),
      listKeys: (_, reply) => sendPage(reply, HUGE),
      listPayments: () => (held ? new Promise((answer) => held?.push(answer)) : []),
    },
  });
  stage.server.server.on('connection', (socket: Socket) => served.push(socket));
  await stage.server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = stage.server.server.address() as AddressInfo);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await stage.server.close();
});

const LIST = '/api/v1/payments';
const KEYS = '/api/v1/keys';

/** A client that reads only when it is told to, and the server’s end of its connection. */
async function client(): Promise<readonly [Socket, Socket]> {
  const socket = connect(port, '127.0.0.1').pause();
  // The server may end a connection on which more is being sent.
  socket.on('error', () => undefined);
  clients.push(socket);
  await until(() => served.length === clients.length);
  return [socket, served.at(-1) as Socket];
}

const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

const ended = (end: Socket): Promise<unknown> => (end.closed ? Promise.resolve() : once(end, 'close'));
const listStatus = async (): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}${LIST}`, { headers: bearer(TEST_KEY) })).status;
const takenFrom = (end: Socket): number => end.bytesWritten - end.writableLength;

test('one connection with an unread page and 600 requests behind it takes no place from others', async () => {
  const [socket, end] = await client();
  socket.write(get(KEYS) + get(LIST).repeat(600));
  await ended(end);
  expect(stage.calls).toBeLessThanOrEqual(WAITING_MAX);
  for (let more = 0; more <= WAITING_MAX; more += 1) expect(await listStatus()).toBe(200);
});

test('requests that the framework refuses by itself wait with the others', async () => {
  const [socket, end] = await client();
  socket.write(get(KEYS) + get('/%zz').repeat(600));
  await ended(end);
});

test('as many as may wait on one connection are answered in their order', async () => {
  const [socket, end] = await client();
  held = [];
  socket.write(get(LIST).repeat(WAITING_MAX));
  await until(() => held?.length === WAITING_MAX);
  for (const [at, answer] of held.reverse().entries()) answer([WAITING_MAX - at]);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString())).resume();
  await until(() => text.endsWith(`[${WAITING_MAX}]`));
  const bodies = [...text.matchAll(/\r\n\r\n\[(\d+)\]/g)].map(([, body]) => Number(body));
  expect(bodies).toEqual(Array.from({ length: WAITING_MAX }, (_, at) => at + 1));
  held = null;
  socket.write(get(LIST));
  await until(() => text.endsWith('[]'));
  expect(end.destroyed).toBe(false);
});

test('a client that reads nothing is cut off, and its places are free', async () => {
  const [socket, end] = await client();
  socket.write(get(KEYS) + get(LIST).repeat(WAITING_MAX - 1));
  await until(() => end.writableLength > 0 && stage.calls === WAITING_MAX);
  expect(await listStatus()).toBe(200);
  for (let look = 0; look <= STALLED_LOOKS_MAX; look += 1) stage.secondsPass();
  await ended(end);
  for (let more = 0; more <= WAITING_MAX; more += 1) expect(await listStatus()).toBe(200);
});

test('a client that sends on and reads nothing is cut off as well', async () => {
  const [socket, end] = await client();
  socket.write(`${get(KEYS)}GET / HTTP/1.1\r\nX-Slow: `);
  await until(() => end.writableLength > 0);
  for (let look = 0; look <= STALLED_LOOKS_MAX; look += 1) {
    const { bytesRead } = end;
    socket.write('a');
    await until(() => end.bytesRead > bytesRead);
    stage.secondsPass();
  }
  await ended(end);
});

test('a slow client that reads is not', async () => {
  const [socket, end] = await client();
  socket.write(get(KEYS));
  await until(() => end.writableLength > 0);
  for (let look = 0; look < 3 * STALLED_LOOKS_MAX; look += 1) {
    const before = takenFrom(end);
    await until(() => (socket.read(), takenFrom(end) > before));
    for (let more = 1; more < STALLED_LOOKS_MAX; more += 1) stage.secondsPass();
  }
  expect(end.destroyed).toBe(false);
});

test('a client that waits for its answer is not', async () => {
  const [socket, end] = await client();
  held = [];
  socket.write(get(LIST));
  await until(() => held?.length === 1);
  for (let look = 0; look <= 2 * STALLED_LOOKS_MAX; look += 1) stage.secondsPass();
  expect(end.destroyed).toBe(false);
});

test.each([
  ['before it began', (socket: Socket) => socket.write(get(listen.path) + get(LIST))],
  ['once it has begun', async (socket: Socket) => {
    socket.write(get(listen.path));
    await once(socket, 'readable');
    socket.write(get(LIST));
  }],
])('a request behind an event stream ends the connection: %s', async (_, ask) => {
  const [socket, end] = await client();
  await ask(socket);
  await ended(end);
  for (let more = 0; more <= WAITING_MAX; more += 1) expect(await listStatus()).toBe(200);
});
