import { newId, uuidIds } from '@tender/contracts';
import { MODES } from '@tender/kernel';
import {
  ADMIN_TOKEN,
  bearer,
  LIVE_KEY,
  OTHER_KEY,
  TEST_KEY,
  UNKNOWN_KEY,
} from '../testing/edge-stage';
import { entry, noteEntry, plan, readEntry, RouteStage, subscribe } from '../testing/route-stage';

const stage = new RouteStage();

describe('a route that takes a key or none', () => {
  beforeAll(() => stage.begin());
  test.each(MODES)('a caller without a key is public, in the mode of the object, which is %s', async (mode) => {
    const { status: let_in, headers, json } = await stage.send(subscribe, {}, { id: plan(mode) });
    expect([let_in, headers['x-svc-mode'], headers['x-ratelimit-limit']]).toEqual([200, mode, '600']);
    expect(json.caller).toMatchObject({ merchant_id: '', mode, asker: { kind: 'public' } });
  });

  test('a good key counts as the merchant', async () => {
    const { headers, json } = await stage.send(subscribe, bearer(LIVE_KEY), { id: plan('live') });
    expect([headers['x-svc-mode'], headers['x-ratelimit-limit']]).toEqual(['live', '100']);
    expect(json.caller).toMatchObject({ merchant_id: 'merchant-a', asker: { kind: 'key' } });
    const other = await stage.send(subscribe, bearer(TEST_KEY), { id: plan('test') });
    expect(other.headers['x-ratelimit-remaining']).toBe('98');
  });

  test.each([
    ['of no merchant', bearer(UNKNOWN_KEY)],
    ['that is the operator’s token', bearer(ADMIN_TOKEN)],
    ['that is none', { authorization: 'Bearer x' }],
    ['of another scheme', { authorization: 'Basic eDp5' }],
    ['that is empty', { authorization: '' }],
  ])('a key %s is refused, and never taken for none', async (_, headers) => {
    const calls = await stage.callsDuring(async () => {
      const { status: refused, json } = await stage.send(subscribe, headers, { id: plan('test') });
      expect([refused, json.code]).toEqual([401, 'authentication_failed']);
    });
    expect(calls).toBe(0);
  });

  test('an object of the other mode is 404 for a key, as one that says no mode is for anybody', async () => {
    const calls = await stage.callsDuring(async () => {
      const refused = [
        await stage.send(subscribe, bearer(TEST_KEY), { id: plan('live') }),
        await stage.send(subscribe, bearer(LIVE_KEY), { id: plan('test') }),
        await stage.send(subscribe, {}, { id: `plan_${'1'.repeat(22)}` }),
      ];
      expect(refused.map((answer) => answer.status)).toEqual([404, 404, 404]);
      expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    });
    expect(calls).toBe(0);
  });

  test('an Idempotency-Key is the merchant’s, or the object’s', async () => {
    const key = { 'idempotency-key': 'k1' };
    const [mine, nobodys, others] = [
      await stage.send(subscribe, { ...bearer(TEST_KEY), ...key }, { id: plan('test') }),
      await stage.send(subscribe, key, { id: plan('test') }),
      await stage.send(subscribe, { ...bearer(OTHER_KEY), ...key }, { id: plan('test') }),
    ];
    const ids = [mine, nobodys, others].map(({ json }) => json.caller.command_id);
    expect(new Set(ids).size).toBe(3);
    const again = await stage.send(subscribe, key, { id: plan('test') });
    expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', nobodys?.text]);
  });

  // Last: it has a stage of its own.
  test('guesses without a key run out, and use up nothing of a merchant', async () => {
    stage.begin({ handlers: { subscribe: (_, reply) => reply.status(404).send({}) } });
    let refused = 0;
    for (let at = 0; at < 610; at += 1) {
      const id = `plan_${String(at).padStart(22, '0')}`;
      if ((await stage.status(subscribe, {}, { id })) === 429) refused += 1;
    }
    expect(refused).toBe(10);
    const { headers } = await stage.send(subscribe, bearer(OTHER_KEY), { id: plan('test') });
    expect(headers['x-ratelimit-remaining']).toBe('99');
  });
});

describe('where no key is asked for', () => {
  beforeAll(() => stage.begin());
  const [in_test, in_live] = MODES.map((mode) => ({ id: plan(mode), entry_id: entry(mode) }));

  test('one that comes along is of its mode: an object of the other one is 404, as one that is not there', async () => {
    const calls = await stage.callsDuring(async () => {
      const refused = [
        await stage.send(noteEntry, bearer(TEST_KEY), in_live),
        await stage.send(noteEntry, bearer(LIVE_KEY), in_test),
        await stage.send(noteEntry, bearer(UNKNOWN_KEY), in_live),
        await stage.send(noteEntry, {}, { ...in_test, entry_id: 'x' }),
      ];
      expect(refused.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
      expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    });
    expect([calls, stage.edge.looked_up]).toEqual([0, []]);
  });

  test('reading is open to all: a key of the other mode that comes along changes nothing', async () => {
    expect(await stage.status(readEntry, bearer(TEST_KEY), in_live)).toBe(200);
  });

  test.each([
    ['of its mode', bearer(TEST_KEY)],
    ['of the other merchant', bearer(OTHER_KEY)],
    ['that has not the form of one', { authorization: 'Bearer svc_live_x' }],
  ])('one %s changes nothing', async (_, headers) => {
    const { status: found, json, headers: sent } = await stage.send(noteEntry, headers, in_test);
    expect([found, sent['x-ratelimit-limit']]).toEqual([200, '600']);
    expect(json.caller).toMatchObject({ merchant_id: '', mode: 'test', asker: { kind: 'public' } });
  });
});

describe('two objects in a path', () => {
  beforeAll(() => stage.begin());
  test.each(MODES)('of one mode are there: %s', async (mode) => {
    const ids = { id: plan(mode), entry_id: entry(mode) };
    const { status: found, json } = await stage.send(readEntry, {}, ids);
    expect([found, json.caller.mode]).toEqual([200, mode]);
  });

  test.each([
    ['one of each mode', plan('test'), entry('live')],
    ['one of each mode, the other way', plan('live'), entry('test')],
    ['a second one that says no mode', plan('test'), '00010203-0405-4607-8809-0a0b0c0d0e0f'],
    ['a first one that says no mode', 'plan_1', entry('test')],
    ['the two exchanged', entry('test'), plan('test')],
  ])('%s: 404', async (_, id, entry_id) => {
    const calls = await stage.callsDuring(async () => {
      expect(await stage.status(readEntry, {}, { id, entry_id })).toBe(404);
    });
    expect(calls).toBe(0);
  });

  test('a stranger has a bucket for each two', async () => {
    const remaining = async (ids: object) =>
      (await stage.send(readEntry, {}, ids)).headers['x-ratelimit-remaining'];
    const both = { id: plan('test'), entry_id: entry('test') };
    const other = { ...both, entry_id: newId(uuidIds, 'test', Buffer.alloc(16, 8)) };
    const left = Number(await remaining(both));
    expect(await remaining(both)).toBe(String(left - 1));
    expect(await remaining(other)).toBe('599');
  });
});
