import { Unavailable } from '@tender/eventing';
import { clientOf, deadReplica, endAll, replica, request } from './testing/test-replicas';

let now_ms = 0;
const ticks = () => now_ms;

beforeEach(() => {
  now_ms = 0;
});
afterEach(endAll);

/** Does what `does` says at the time, and counts what it was asked. */
async function startReplica(does: 'answers' | 'hangs' | 'cuts') {
  const state = { url: '', heard: 0, does };
  state.url = await replica(({ socket }, _, response) => {
    state.heard += 1;
    if (state.does === 'answers') response.end('ok');
    if (state.does === 'cuts') socket.destroy();
  });
  return state;
}

type Client = ReturnType<typeof clientOf>;

/** How many of `count` requests, one after the other, were not answered. */
async function failures(client: Client, count: number, extra: object = {}): Promise<number> {
  let failed = 0;
  for (let index = 0; index < count; index += 1) {
    await client.send(request(extra)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Unavailable);
      failed += 1;
    });
  }
  return failed;
}

/** The same of requests at the same time. */
async function failuresTogether(client: Client, count: number): Promise<number> {
  const ended = await Promise.all(Array.from({ length: count }, () => failures(client, 1)));
  return ended.filter((failed) => failed > 0).length;
}

test('a replica that hangs takes one request, and no other replica hears that one', async () => {
  for (let deadline_ms = 50, is_heard = false; !is_heard; deadline_ms *= 4) {
    const well = await startReplica('answers');
    const hanging = await startReplica('hangs');
    const client = clientOf([well.url, hanging.url], { ticks });
    expect(await failures(client, 1, { deadline_ms })).toBe(1);
    // On a busy machine the request may not have got there in time.
    is_heard = hanging.heard > 0 || deadline_ms > 120_000;
    if (!is_heard) continue;
    expect(await failures(client, 9)).toBe(0);
    expect([well.heard, hanging.heard]).toEqual([9, 1]);
  }
});

test('it is tried each time it has rested, longer each time and not for ever', async () => {
  const ill = await startReplica('cuts');
  const well = await startReplica('answers');
  const client = clientOf([ill.url, well.url], { ticks });
  for (const rest_ms of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const asked = ill.heard;
    expect(await failures(client, 6)).toBe(1);
    now_ms += rest_ms - 1;
    expect(await failures(client, 3)).toBe(0);
    expect(ill.heard).toBe(asked + 1);
    now_ms += 1;
  }
  expect(ill.heard + well.heard).toBe(7 * 9);
});

test('one request tries it, the others do not wait with it', async () => {
  const ill = await startReplica('cuts');
  const well = await startReplica('answers');
  const client = clientOf([ill.url, well.url], { ticks });
  await failures(client, 2);
  now_ms += 1_000;
  expect(await failuresTogether(client, 8)).toBe(1);
  expect(ill.heard).toBe(2);
});

test('requests that waited together count as one failure', async () => {
  const ill = await startReplica('cuts');
  const well = await startReplica('answers');
  const client = clientOf([ill.url, well.url], { ticks });
  expect(await failuresTogether(client, 8)).toBe(4);
  now_ms += 1_000;
  expect(await failures(client, 2)).toBe(1);
});

test('one that answers again is asked in its turn, and what it failed is forgotten', async () => {
  const ill = await startReplica('cuts');
  const well = await startReplica('answers');
  const client = clientOf([ill.url, well.url], { ticks });
  await failures(client, 2);
  now_ms += 1_000;
  await failures(client, 2);
  now_ms += 2_000;
  ill.does = 'answers';
  await failures(client, 1);
  const asked = [ill.heard, well.heard];
  expect(await failures(client, 6)).toBe(0);
  expect([ill.heard, well.heard]).toEqual(asked.map((before) => before + 3));
  ill.does = 'cuts';
  expect(await failures(client, 2)).toBe(1);
  now_ms += 1_000;
  expect(await failures(client, 2)).toBe(1);
});

test('one that fails a request and answers others meanwhile is not away', async () => {
  let cut: () => void = () => undefined;
  let wasAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (wasAsked = resolve));
  const slow = await replica(({ url, socket }, _, response) => {
    if (url !== '/slow') return response.end('ok');
    cut = () => socket.destroy();
    return wasAsked();
  });
  const well = await startReplica('answers');
  const client = clientOf([well.url, slow], { ticks });
  const waiting = client.send(request({ url: '/slow' }));
  await asked;
  now_ms += 1;
  await failures(client, 4);
  cut();
  await expect(waiting).rejects.toThrow(Unavailable);
  const before = well.heard;
  await failures(client, 4);
  expect(well.heard - before).toBe(2);
});

test('the only one is asked, whatever is remembered of it', async () => {
  const only = await startReplica('cuts');
  const client = clientOf([only.url], { ticks });
  expect(await failures(client, 3)).toBe(3);
  only.does = 'answers';
  expect(await failures(client, 3)).toBe(0);
  expect(only.heard).toBe(6);
});

test('where all rest, one that cannot be connected to leaves the request to the other', async () => {
  const ill = await startReplica('cuts');
  const client = clientOf([await deadReplica(), ill.url], { ticks });
  await failures(client, 2);
  ill.does = 'answers';
  expect(await failures(client, 4)).toBe(0);
});

test('the replica that last answered as the leader is asked first, unless it rests or another one leads', async () => {
  const heard: string[] = [];
  let leader = 'b';
  const startStandby = (name: string) =>
    replica(({ socket }, _, response) => {
      heard.push(name);
      if (leader === `${name} is killed`) socket.destroy();
      else response.writeHead(name === leader ? 200 : 421).end();
    });
  const urls = await Promise.all(['a', 'b', 'c'].map(startStandby));
  const client = clientOf(urls, { ticks });
  const askLeader = () => client.send(request({ of_leader: true }));
  await askLeader();
  heard.splice(0);
  for (let round = 0; round < 5; round += 1) await askLeader();
  expect(heard).toEqual(['b', 'b', 'b', 'b', 'b']);

  leader = 'c';
  await askLeader();
  heard.splice(0);
  await askLeader();
  expect(heard).toEqual(['c']);

  leader = 'c is killed';
  await expect(askLeader()).rejects.toThrow(Unavailable);
  leader = 'a';
  heard.splice(0);
  for (let round = 0; round < 3; round += 1) expect((await askLeader()).status).toBe(200);
  expect(heard).not.toContain('c');
  expect(heard.slice(-2)).toEqual(['a', 'a']);

  leader = 'nobody';
  await expect(askLeader()).rejects.toThrow(/no replica leads/);
});
