import { walletsStage, type WalletsStage } from '../testing/wallets-stage';

const PATH = '/api/v1/merchants/me/operating-wallet/freeze';

let on: WalletsStage;
beforeAll(async () => {
  on = await walletsStage();
  await on.start();
});
beforeEach(() => on.reset());
afterAll(() => on.close());

const freeze = (merchant_id: string, body: object = {}, changes: object = {}) =>
  on.stage.send('POST', PATH, on.stage.caller({ merchant_id, ...changes }), body);

test('a merchant freezes its own wallet, in one mode, and others hear of it', async () => {
  const [merchant_id, other] = [on.merchant(), on.merchant()];
  const { address } = await on.opened(merchant_id);
  const kept = [await on.opened(merchant_id, 'live'), await on.opened(other)];
  const frozen = await freeze(merchant_id, { reason: 'A laptop was stolen' });
  const answer = { operating_wallet_address: address, frozen: true, frozen_by_signers: ['A', 'B'] };
  expect([frozen.status, frozen.json]).toEqual([200, answer]);
  for (const party of [on.signers.a, on.signers.b]) expect([...party.frozen]).toEqual([address]);
  expect(await on.ask(merchant_id)).toMatchObject({ value: { address, frozen: true } });
  for (const { address: untouched, merchant_id: whose } of kept) {
    expect(on.signers.a.frozen.has(untouched)).toBe(false);
    expect(await on.ask(whose, whose === other ? 'test' : 'live')).toMatchObject({ value: { frozen: false } });
  }
  const [, , event] = await on.history(merchant_id);
  expect(event).toMatchObject({
    type: 'OperatingWalletFrozen',
    data: { by: 'merchant', reason: 'A laptop was stolen', signers: ['A', 'B'] },
  });
  // Again it is as it is.
  expect((await freeze(merchant_id)).json).toEqual(answer);
  expect(await on.history(merchant_id)).toHaveLength(3);
});

test('one signer is enough, and is named; the other one joins when it is asked again', async () => {
  const merchant_id = on.merchant();
  await on.opened(merchant_id);
  on.signers.a.is_down = true;
  expect((await freeze(merchant_id)).json).toMatchObject({ frozen: true, frozen_by_signers: ['B'] });
  on.signers.a.is_down = false;
  expect((await freeze(merchant_id)).json).toMatchObject({ frozen: true, frozen_by_signers: ['A', 'B'] });
});

test('where neither confirms it is not called frozen', async () => {
  const merchant_id = on.merchant();
  await on.opened(merchant_id);
  for (const party of [on.signers.a, on.signers.b]) party.is_down = true;
  const { status, json } = await freeze(merchant_id);
  expect([status, json.code]).toEqual([503, 'service_unavailable']);
  expect(await on.ask(merchant_id)).toMatchObject({ value: { frozen: false } });
});

test('without a wallet it is 409, and none is made for it', async () => {
  const merchant_id = on.merchant();
  const { status, json } = await freeze(merchant_id);
  expect([status, json.code]).toEqual([409, 'wallet_not_ready']);
  expect(await on.types(merchant_id)).toEqual([]);
});

test('a repeat with the same key is the same answer', async () => {
  const merchant_id = on.merchant();
  await on.opened(merchant_id);
  const command_id = 'freeze-once';
  const first = await freeze(merchant_id, {}, { command_id });
  expect((await freeze(merchant_id, {}, { command_id })).json).toEqual(first.json);
  const reused = await freeze(merchant_id, {}, { command_id, body_hash: 'another body' });
  expect([reused.status, reused.json.code]).toEqual([409, 'idempotency_key_reused']);
});
