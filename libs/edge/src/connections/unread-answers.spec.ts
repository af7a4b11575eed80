import { connect, type AddressInfo, type Socket } from 'node:net';
import { request as send } from 'undici';
import { sendPage } from '../answering/shared-page';
import { bearer, EdgeStage, paymentId, TEST_KEY } from '../testing/edge-stage';
import { WAITING_MAX } from './guard-connections';

/** More than the buffers of the system hold between two programs of one machine. */
const HUGE = { content_type: 'text/plain', bytes: Buffer.alloc(64 * 1024 * 1024) };
const PLACES = 160;
const ADDRESSES = Array.from({ length: 8 }, (_, at) => `127.0.0.${at + 2}`);
const CONNECTIONS_EACH = 4;
const KEYS = '/api/v1/keys';
const LIST = '/api/v1/payments';

let stage: EdgeStage;
let port: number;
let clients: Socket[];
/** The server’s ends of its connections, by the port of the other end, and what has arrived there. */
let served: Map<number, { readonly end: Socket; arrived: number }>;
/** What waits for its answer, of clients that read. */
let held: ((answer: object) => void)[];

beforeEach(async () => {
  [clients, served, held] = [[], new Map(), []];
  stage = new EdgeStage({
    config: { rate_limits: 'off', requests_max: PLACES },
    handlers: {
      listKeys: (_, reply) => sendPage(reply, HUGE),
      getPayment: () => new Promise((answer) => held.push(answer)),
    },
  });
  const { server } = stage.server;
  server.on('connection', (end: Socket) => served.set(Number(end.remotePort), { end, arrived: 0 }));
  server.on('request', ({ socket }: { socket: Socket }) => {
    const connection = served.get(Number(socket.remotePort));
    if (connection) connection.arrived += 1;
  });
  await stage.server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const answer of held.splice(0)) answer({});
  for (const client of clients) client.destroy();
  await stage.server.close();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`;

/** As many requests as may wait on one connection, whose client reads nothing. The server’s end of it. */
async function unread(localAddress: string): Promise<Socket> {
  const client = connect({ port, host: '127.0.0.1', localAddress }).pause();
  client.on('error', () => undefined);
  clients.push(client);
  client.write(get(KEYS) + get(LIST).repeat(WAITING_MAX - 1));
  await until(() => served.has(Number(client.localPort)));
  const connection = served.get(Number(client.localPort));
  if (!connection) throw new Error('It is not connected.');
  const { end } = connection;
  // The first answer has begun: the page, or a refusal where there is no place.
  await until(() => end.destroyed || (connection.arrived === WAITING_MAX && end.bytesWritten > 0));
  return end;
}

/** Asks so often at once; how many were let in. */
async function letIn(times: number): Promise<number> {
  const before = held.length;
  let refused = 0;
  for (let at = 0; at < times; at += 1) {
    void send(`http://127.0.0.1:${port}${LIST}/${paymentId(at)}`, { headers: bearer(TEST_KEY), reset: true })
      .then(async ({ statusCode, body }) => {
        if (statusCode === 503) refused += 1;
        await body.dump();
      })
      .catch(() => undefined);
  }
  await until(() => held.length - before + refused === times);
  return times - refused;
}

test('eight addresses that read no answers leave half of the places to others', async () => {
  const ends: Socket[] = [];
  for (const address of ADDRESSES) {
    for (let more = 0; more < CONNECTIONS_EACH; more += 1) ends.push(await unread(address));
  }
  expect(ends.length * WAITING_MAX).toBeGreaterThan(PLACES);
  expect(await letIn(PLACES / 4)).toBe(PLACES / 4);
  expect(await letIn(PLACES / 4)).toBe(PLACES / 4);
  const left = ends.filter(({ destroyed }) => !destroyed);
  expect(left.length * WAITING_MAX).toBeLessThanOrEqual(PLACES / 2);
});

test('where there are places enough, an address may be slow on many connections', async () => {
  const ends: Socket[] = [];
  for (let more = 0; more < 2 * CONNECTIONS_EACH; more += 1) ends.push(await unread('127.0.0.2'));
  expect(await letIn(PLACES / 8)).toBe(PLACES / 8);
  expect(ends.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('a client whose answer is still being made keeps its place, however many such there are', async () => {
  expect(await letIn(PLACES)).toBe(PLACES);
  expect(await letIn(1)).toBe(0);
});
