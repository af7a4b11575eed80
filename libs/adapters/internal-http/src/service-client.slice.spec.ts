import { INTERNAL_HEADER, Unavailable } from '@tender/eventing';
import { call } from '@tender/kernel';
import { httpCalls } from './http-calls';
import { clientOf, deadReplica, endAll, replica, request, seal } from './testing/test-replicas';

afterEach(endAll);

test('the service hears the bytes, and what was said of them under a seal', async () => {
  const heard: unknown[] = [];
  const url = await replica((incoming, body, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const header = headers[INTERNAL_HEADER];
    heard.push([String(body), seal.open({ method, url: path, body }, String(header))]);
    response.writeHead(201, { 'x-tender-position': '7', 'content-type': 'application/json' });
    response.end('{"id":"é"}');
  });
  const answer = await clientOf([url]).send(request());
  expect(heard).toEqual([['{"amount": 10}', { merchant_id: 'm-1' }]]);
  expect(answer).toMatchObject({ status: 201, headers: { 'x-tender-position': '7' } });
  expect(String(answer.body)).toBe('{"id":"é"}');
});

test('a replica that cannot be connected to leaves the request to the next one', async () => {
  let heard = 0;
  const alive = await replica((_, __, response) => {
    heard += 1;
    response.end('ok');
  });
  const client = clientOf([await deadReplica(), alive]);
  for (let round = 0; round < 4; round += 1) {
    expect((await client.send(request())).status).toBe(200);
  }
  expect(heard).toBe(4);
});

test('a request that may have been heard goes to no other replica', async () => {
  let heard = 0;
  const cuts = () =>
    replica((incoming) => {
      heard += 1;
      incoming.socket.destroy();
    });
  const client = clientOf([await cuts(), await cuts()]);
  await expect(client.send(request())).rejects.toThrow(Unavailable);
  expect(heard).toBe(1);
});

test('an answer that does not come in time is unavailable', async () => {
  const client = clientOf([await replica(() => undefined)]);
  await expect(client.send(request({ deadline_ms: 50 }))).rejects.toThrow(Unavailable);
});

test('also what waits for a connection ends at its deadline', async () => {
  const client = clientOf([await replica(() => undefined)]);
  const asked = Array.from({ length: 140 }, () => client.send(request({ deadline_ms: 300 })));
  const ended = await Promise.allSettled(asked);
  expect(ended.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
});

test('a service that does not believe the seal is away; its refusal is not the client’s', async () => {
  const client = clientOf([await replica((_, __, response) => response.writeHead(401).end('{}'))]);
  await expect(client.send(request())).rejects.toThrow(/INTERNAL_SECRET/);
});

describe('questions', () => {
  const describePayment = call<{ id: string }, { id: string } | null>('payments.describe', {
    answered_by: 'leader',
  });
  const local = {
    answer: () => undefined,
    ask: async () => 'here' as never,
    answeredBy: (name: string) => (name === 'gateway.own' ? ('any' as const) : null),
  };
  const hostOf = (context: string) => context;
  const leads = () => false;
  const asking = { mode: 'test', correlation_id: 'c-1' } as const;

  test('one that this process answers does not leave it', async () => {
    const calls = httpCalls({ local, leads, hostOf, services: new Map() });
    expect(await calls.ask(call<null, string>('gateway.own'), null, asking)).toBe('here');
    await expect(calls.ask(describePayment, { id: '1' }, asking)).rejects.toThrow(Unavailable);
  });

  test('the replica that leads answers, wherever it is; without one there is no answer', async () => {
    const standsBy = await replica((_, __, response) => response.writeHead(421).end());
    const leader = await replica(({ url }, body, response) =>
      response.end(JSON.stringify({ url, asked: JSON.parse(String(body)) as unknown })),
    );
    const answered = { url: '/internal/calls/payments.describe', asked: { id: '1' } };
    const calls = (...urls: string[]) =>
      httpCalls({ local, leads, hostOf, services: new Map([['payments', clientOf(urls)]]) });
    for (let round = 0; round < 3; round += 1) {
      expect(await calls(standsBy, leader).ask(describePayment, { id: '1' }, asking)).toEqual(answered);
    }
    // Questions at the same time do not take the turns of each other.
    const both = calls(standsBy, leader);
    const seven = Array.from({ length: 7 }, () => both.ask(describePayment, { id: '1' }, asking));
    expect(await Promise.all(seven)).toEqual(seven.map(() => answered));
    await expect(calls(standsBy).ask(describePayment, { id: '1' }, asking)).rejects.toThrow(Unavailable);
  });

  test('one that this replica could answer if it led is asked of the one that leads', async () => {
    const leader = await replica((_, __, response) => response.end('{"id":"of the leader"}'));
    const answers = { ...local, answeredBy: () => 'leader' as const };
    const services = new Map([['payments', clientOf([leader])]]);
    const here = httpCalls({ local: answers, leads: () => true, hostOf, services });
    const standing_by = httpCalls({ local: answers, leads, hostOf, services });
    expect(await here.ask(describePayment, { id: '1' }, asking)).toBe('here');
    expect(await standing_by.ask(describePayment, { id: '1' }, asking)).toEqual({
      id: 'of the leader',
    });
  });

  test('a replica that is unable to answer leaves the question to the next one', async () => {
    const unable = await replica((_, __, response) => response.writeHead(503).end('{}'));
    const able = await replica((_, __, response) => response.end('{"id":"1"}'));
    const services = new Map([['payments', clientOf([unable, able])]]);
    const calls = httpCalls({ local, leads, hostOf, services });
    for (let round = 0; round < 4; round += 1) {
      expect(await calls.ask(describePayment, { id: '1' }, asking)).toEqual({ id: '1' });
    }
  });

  test('all replicas that are there can be asked', async () => {
    const one = await replica((_, __, response) => response.end('1'));
    const two = await replica((_, __, response) => response.end('2'));
    const client = clientOf([one, await deadReplica(), two]);
    const calls = httpCalls({ local, leads, hostOf, services: new Map([['payments', client]]) });
    const asked = calls.askEach('payments', call<object, number>('payments.x'), {}, asking);
    expect(await asked).toEqual([1, 2]);
  });
});
