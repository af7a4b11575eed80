import { AUDIT_STREAM } from '@tender/eventing';
import { Shops } from '../testing/shops';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(shops.close);

test('keys: a test key mints test keys, a live key both, an admin the first live one', async () => {
  const shop = await shops.newShop();
  const named = await shops.post('/api/v1/api-keys', { name: 'Till 2', mode: 'test' }, shop.as());
  expect([named.status, named.json.name]).toEqual([201, 'Till 2']);
  const refused = await shops.post('/api/v1/keys', { mode: 'live' }, shop.as());
  expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
  const first = await shops.post(`/admin/merchants/${shop.id}/keys`, { mode: 'live', reason: 'go live' });
  expect([first.status, Object.keys(first.json)]).toEqual([201, ['key', 'id', 'mode', 'created_at']]);
  const live = await shops.post('/api/v1/keys', { mode: 'live' }, shop.as({ mode: 'live' }));
  expect(await shops.holderOf(live.json.key)).toMatchObject({ mode: 'live', merchant_id: shop.id });
  expect(await shop.keys({ mode: 'live' })).toHaveLength(2);
  const unknown = await shops.post('/admin/merchants/nobody/keys', { mode: 'live' });
  expect(unknown.status).toBe(404);
});

test('a key that an admin makes is in the audit log, with the reason and without the key', async () => {
  const shop = await shops.newShop();
  const reason = 'contract signed on 3 May';
  const body = { mode: 'live', reason };
  const { json } = await shops.post(`/admin/merchants/${shop.id}/keys`, body, { actor: 'admin' });
  const entries = await shops.stage.runtime.eventStore.load(AUDIT_STREAM);
  expect(entries.at(-1)?.data).toMatchObject({
    ...{ actor: 'admin', reason, route: 'POST /admin/merchants/{id}/keys' },
    what: { merchant_id: shop.id, mode: 'live' },
  });
  expect(JSON.stringify(entries)).not.toContain(json.key);
});

test('a rotation is atomic: no look-up that begins after it finds the old key', async () => {
  const shop = await shops.newShop();
  const [{ id }] = await shop.keys();
  let has_answered = false;
  let late_accepted = 0;
  const late: (string | null)[] = [];
  const probe = async () => {
    const is_late = has_answered;
    const holder = await shops.holderOf(shop.key);
    if (is_late) late.push(holder?.key_id ?? null);
    late_accepted += is_late && holder ? 1 : 0;
  };
  const rotation = shops.post(`/api/v1/keys/${id}/rotate`, undefined, shop.as()).then((answer) => {
    has_answered = true;
    return answer;
  });
  while (!has_answered) {
    await Promise.all(Array.from({ length: 50 }, probe));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(Array.from({ length: 1000 }, probe));
  const { status, json } = await rotation;
  expect(status).toBe(200);
  expect([late.length >= 1000, late_accepted]).toEqual([true, 0]);
  expect(json).toMatchObject({ old_key_id: id, old_key_deactivated: true, mode: 'test' });
  expect(await shops.holderOf(json.new_key)).toMatchObject({ key_id: json.new_key_id });
  expect(await shop.keys()).toMatchObject([
    { id: json.new_key_id, is_active: true },
    { id, is_active: false },
  ]);
  const again = await shops.post(`/api/v1/keys/${id}/rotate`, undefined, shop.as());
  expect([again.status, again.json.code]).toEqual([409, 'key_already_rotated']);
});

test('another merchant’s key, one of the other mode and an unknown one are the same 404', async () => {
  const [shop, other] = await Promise.all([shops.newShop(), shops.newShop()]);
  const [{ id }] = await shop.keys();
  const answers = await Promise.all([
    shops.post(`/api/v1/keys/${id}/rotate`, undefined, other.as()),
    shops.post(`/api/v1/keys/${id}/rotate`, undefined, shop.as({ mode: 'live' })),
    shops.post('/api/v1/keys/__proto__/rotate', undefined, shop.as()),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('the last use of a key shows, null before the first', async () => {
  const shop = await shops.newShop();
  const [before] = await shop.keys();
  expect(Object.keys(before)).toEqual(['id', 'mode', 'is_active', 'created_at', 'last_used_at']);
  expect(before.last_used_at).toBeNull();
  shops.stage.directory.used(before.id);
  const [after] = await shop.keys();
  expect(after.last_used_at >= after.created_at).toBe(true);
});
