import type { IncomingMessage, ServerResponse } from 'node:http';
import { Unavailable } from '@tender/eventing';
import { lookUpAddresses } from './replicas';
import { clientOf, deadReplica, endAll, replica, request } from './testing/test-replicas';

let now_ms = 0;
const ticks = () => now_ms;
let addresses: readonly string[] | Error = [];
let looks: string[] = [];
const lookUp = async (host: string) => {
  looks.push(host);
  if (addresses instanceof Error) throw addresses;
  return addresses;
};
/** Which of the replicas answered, and under which host it was asked. */
let heard: string[] = [];
let port = 0;

beforeEach(() => {
  now_ms = 0;
  looks = [];
  heard = [];
});
afterEach(endAll);

/** Replicas of one service: one port, an address each. */
async function startAt(...hosts: string[]): Promise<void> {
  for (const host of hosts) {
    const url = await replica(
      ({ headers }, _, response) => {
        heard.push(`${host} ${headers.host}`);
        response.end(JSON.stringify(host));
      },
      host,
      port,
    );
    port = Number(new URL(url).port);
  }
}

const named = () => clientOf([`http://payments.test:${port}`], { lookUp, ticks });
const answers = (all: readonly { body: Buffer }[]) => all.map(({ body }) => String(body)).sort();

describe('a name with several addresses', () => {
  beforeEach(async () => {
    port = 0;
    await startAt('127.0.0.1', '127.0.0.2', '127.0.0.3');
    addresses = ['127.0.0.1', '127.0.0.2'];
  });

  test('each is a replica, asked in turn under the name of the service', async () => {
    const client = named();
    for (let index = 0; index < 4; index += 1) await client.send(request());
    const expected = ['127.0.0.1', '127.0.0.2'].map((host) => `${host} payments.test:${port}`);
    expect(heard.sort()).toEqual([expected[0], expected[0], expected[1], expected[1]]);
    expect(looks).toEqual(['payments.test']);
  });

  test('all of them are asked, also one that has just come', async () => {
    const client = named();
    expect(answers(await client.sendToEach(request()))).toEqual(['"127.0.0.1"', '"127.0.0.2"']);
    addresses = ['127.0.0.3', '127.0.0.2'];
    expect(answers(await client.sendToEach(request()))).toEqual(['"127.0.0.2"', '"127.0.0.3"']);
    addresses = new Error('no name server');
    await expect(client.sendToEach(request())).rejects.toThrow(/no name server/);
  });

  test('the name is looked up again every five seconds, beside the requests', async () => {
    const client = named();
    await client.send(request());
    addresses = ['127.0.0.3'];
    now_ms = 4_999;
    for (let index = 0; index < 4; index += 1) await client.send(request());
    expect(looks).toHaveLength(1);
    now_ms = 5_000;
    await client.send(request());
    expect(looks).toHaveLength(2);
    heard = [];
    for (let index = 0; index < 4; index += 1) await client.send(request());
    expect(new Set(heard)).toEqual(new Set([`127.0.0.3 payments.test:${port}`]));
  });

  test('what is under way at one that has gone is answered', async () => {
    let answer: () => void = () => undefined;
    let wasAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    const slow = (_: unknown, __: Buffer, response: ServerResponse) => {
      answer = () => response.end('ok');
      wasAsked();
    };
    await replica(slow, '127.0.0.4', port);
    addresses = ['127.0.0.4'];
    const client = named();
    const waiting = client.send(request());
    await asked;
    addresses = ['127.0.0.1'];
    await client.sendToEach(request());
    answer();
    expect((await waiting).status).toBe(200);
  });

  test('one that is known already keeps what is remembered of it', async () => {
    let cut = 0;
    const cuts = ({ socket }: IncomingMessage) => {
      cut += 1;
      socket.destroy();
    };
    await replica(cuts, '127.0.0.4', port);
    addresses = ['127.0.0.4', '127.0.0.9', '127.0.0.1'];
    const client = named();
    const ask = async (count: number) => {
      for (let index = 0; index < count; index += 1) await client.send(request()).catch(() => null);
    };
    // No process listens at the second; the first fails later, so that it rests longer.
    await ask(1);
    now_ms = 900;
    await ask(2);
    expect([cut, looks.length]).toEqual([1, 1]);
    now_ms = 1_000;
    await ask(6);
    expect([cut, looks.length]).toEqual([1, 2]);
  });
});

test('where none can be connected to, the request goes to one that has just come', async () => {
  port = Number(new URL(await deadReplica()).port);
  addresses = ['127.0.0.1'];
  const client = named();
  await expect(client.send(request())).rejects.toThrow(Unavailable);
  await startAt('127.0.0.2');
  addresses = ['127.0.0.2'];
  now_ms = 1_000;
  expect((await client.send(request())).status).toBe(200);
});

test('a name that cannot be looked up keeps the replicas that it had', async () => {
  port = 0;
  await startAt('127.0.0.1');
  addresses = new Error('no name server');
  const client = named();
  await expect(client.send(request())).rejects.toThrow(/no name server/);
  // Not by every request while it cannot be.
  await expect(client.send(request())).rejects.toThrow(Unavailable);
  expect(looks).toHaveLength(1);
  addresses = ['127.0.0.1'];
  now_ms = 1_000;
  await client.send(request());
  addresses = new Error('no name server');
  for (now_ms = 6_000; now_ms < 30_000; now_ms += 6_000) await client.send(request());
  expect(heard).toHaveLength(5);
  expect(looks).toHaveLength(6);
});

test('a name server that does not answer holds up no request to a replica that is known, and none for ever', async () => {
  port = 0;
  await startAt('127.0.0.1');
  let never = true;
  const silent = async () => (never ? new Promise<never>(() => undefined) : ['127.0.0.1']);
  const client = () => clientOf([`http://payments.test:${port}`], { lookUp: silent, ticks });
  await expect(client().send(request({ deadline_ms: 50 }))).rejects.toThrow(/looked up in time/);
  never = false;
  const knowing = client();
  await knowing.send(request());
  never = true;
  now_ms = 5_000;
  for (let index = 0; index < 3; index += 1) await knowing.send(request());
  expect(heard).toHaveLength(4);
});

describe('one process is one replica', () => {
  beforeEach(async () => {
    port = 0;
    await startAt('127.0.0.1');
  });

  test('an address and localhost are not looked up', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const client = clientOf([`http://${host}:${port}`], { lookUp, ticks });
      expect(await client.sendToEach(request())).toHaveLength(1);
      await client.send(request());
    }
    expect(looks).toEqual([]);
  });

  test('also where its name has addresses of both kinds, or one twice', async () => {
    addresses = ['::ffff:127.0.0.1', '127.0.0.1', '127.0.0.1'];
    expect(await named().sendToEach(request())).toHaveLength(1);
    await named().send(request());
    expect(heard).toHaveLength(2);
  });
});

test('the machine is asked as other programs ask it', async () => {
  expect(await lookUpAddresses('localhost')).toContain('127.0.0.1');
});
