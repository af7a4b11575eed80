import { isOutage } from '@tender/eventing';
import { done } from '@tender/kernel';
import { CEREMONY_PAUSE_MS } from '@tender/treasury-domain';
import { rosterFault, type SignedRoster } from '@tender/threshold';
import { base64 } from '@tender/transactions';
import { testWallet } from '@tender/transactions/testing';
import { SETTLEMENT_WALLET, walletsStage, type WalletsStage } from '../testing/wallets-stage';
import { OperatingWallets } from './operating-wallets';

let on: WalletsStage;
beforeAll(async () => {
  on = await walletsStage();
  await on.start();
});
beforeEach(() => on.reset());
afterAll(() => on.close());

test('a wallet is opened at its first need, once, and stays', async () => {
  const merchant_id = on.merchant();
  const asked = await Promise.all(Array.from({ length: 20 }, () => on.ask(merchant_id)));
  const [first] = asked;
  expect(first).toMatchObject({ ok: true, value: { custody_model: 'shared', frozen: false } });
  expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(on.signers.recoveries).toHaveLength(1);
  expect(await on.types(merchant_id)).toEqual(['OperatingWalletBegun', 'OperatingWalletOpened']);
  const { roster } = (await on.opened(merchant_id)).roster as SignedRoster;
  expect(roster).toMatchObject({ merchant_id, mode: 'test', settlement_wallet: SETTLEMENT_WALLET });
  // Another process, with its signers away, knows it from the log.
  await on.start({ signers: null });
  expect(await on.ask(merchant_id)).toEqual(first);
  await on.start();
});

test('each merchant has one in each mode, each with its own key', async () => {
  const [one, other] = [on.merchant(), on.merchant(testWallet(4).address)];
  const wallets = [await on.opened(one), await on.opened(one, 'live'), await on.opened(other)];
  expect(new Set(wallets.map(({ address }) => address)).size).toBe(3);
  const rosters = wallets.map(({ roster }) => roster as SignedRoster);
  expect(rosters.map(rosterFault)).toEqual([null, null, null]);
  expect(rosters.map(({ roster }) => [roster.mode, roster.settlement_wallet])).toEqual([
    ['test', SETTLEMENT_WALLET],
    ['live', SETTLEMENT_WALLET],
    ['test', testWallet(4).address],
  ]);
});

test('a merchant who has no wallet to settle to gets none: what a roster says is for good', async () => {
  const merchant_id = on.merchant(null);
  expect(await on.ask(merchant_id)).toEqual(done(null));
  expect(await on.types(merchant_id)).toEqual([]);
  on.settlesTo(merchant_id, SETTLEMENT_WALLET);
  const { roster } = (await on.opened(merchant_id)).roster as SignedRoster;
  expect(roster.settlement_wallet).toBe(SETTLEMENT_WALLET);
});

test('a merchant that accounts does not know has none, and without signers no merchant has', async () => {
  expect(await on.ask('00000000-0000-8000-8000-000000000000')).toMatchObject({ refusal: 'merchant_not_found' });
  await on.start({ signers: null });
  const merchant_id = on.merchant();
  expect(await on.ask(merchant_id)).toEqual(done(null));
  expect(await on.types(merchant_id)).toEqual([]);
  await on.start();
});

test('while a signer is silent none is made, and few are tried; then it is', async () => {
  const merchant_id = on.merchant();
  on.signers.b.is_down = true;
  for (let asked = 0; asked < 5; asked += 1) expect(await on.ask(merchant_id)).toEqual(done(null));
  expect(on.signers.recoveries).toHaveLength(1);
  expect(await on.types(merchant_id)).toEqual([]);
  on.signers.b.is_down = false;
  await on.start();
  await on.opened(merchant_id);
});

test('a ceremony that fails is kept with who is at fault, counted, and not tried again for a minute', async () => {
  const merchant_id = on.merchant();
  on.signers.b.refuses.set('ceremony.round-3', { code: 'dkg_share_invalid', reason: 'bad', culprit: 'A' });
  expect(await on.ask(merchant_id)).toEqual(done(null));
  expect(await on.ask(merchant_id)).toEqual(done(null));
  expect(on.signers.recoveries).toHaveLength(1);
  const [begun, failed, ...rest] = await on.history(merchant_id);
  expect(rest).toEqual([]);
  expect(failed).toMatchObject({
    type: 'CeremonyFailed',
    data: { merchant_id, code: 'dkg_share_invalid', culprit: 'A', session: sessionOf(begun) },
  });
  expect(on.alarms).toEqual([[{ code: 'dkg_share_invalid' }, 1]]);
  expect(on.lines.join('\n')).toContain('"culprit":"A"');

  on.signers.b.refuses.clear();
  on.stage.advance(CEREMONY_PAUSE_MS);
  await on.opened(merchant_id);
  const [, , again] = await on.history(merchant_id);
  expect(sessionOf(again)).not.toBe(sessionOf(begun));
});

test('a plan that a signer does not take up leaves nothing, and is counted', async () => {
  const merchant_id = on.merchant();
  const refusal = { code: 'dkg_plan_invalid', reason: 'another identity' };
  on.signers.b.refuses.set('ceremony.begin', refusal);
  expect(await on.ask(merchant_id)).toEqual(done(null));
  expect(await on.types(merchant_id)).toEqual([]);
  expect(on.alarms).toEqual([[{ code: 'dkg_plan_invalid' }, 1]]);
  on.signers.b.refuses.clear();
  await on.opened(merchant_id);
});

test('one that was left behind by a crash is begun again with a new session', async () => {
  const merchant_id = on.merchant();
  on.signers.tampers = (_, { message }) => {
    if (message.kind === 'ceremony.finish') throw new Error('the process dies here');
    return null;
  };
  await expect(on.ask(merchant_id)).rejects.toThrow();
  expect(await on.types(merchant_id)).toEqual(['OperatingWalletBegun']);
  on.signers.tampers = () => null;
  await on.start();
  await on.opened(merchant_id);
  const [one, two] = await on.history(merchant_id);
  expect(sessionOf(one)).not.toBe(sessionOf(two));
  expect(on.signers.ended).toBe(on.signers.recoveries.length);
});

test('of two processes that open a wallet at once, one publishes, and both show that one', async () => {
  const merchant_id = on.merchant();
  const other = new OperatingWallets(on.stage.runtime);
  // Both are in their ceremony before either ends.
  let finishing = 0;
  let both: () => void;
  const meet = new Promise<void>((resolve) => (both = resolve));
  const { A } = on.signers;
  const held = { ...A, ask: async (asked: { message: { kind: string } }) => {
    if (asked.message.kind === 'ceremony.finish') {
      if ((finishing += 1) === 2) both();
      await meet;
    }
    return A.ask(asked);
  } };
  Object.assign(on.signers, { A: held });
  const opened = await Promise.all([
    on.wallets.open('test', merchant_id),
    other.open('test', merchant_id),
  ]);
  Object.assign(on.signers, { A });
  const types = await on.types(merchant_id);
  expect(types.filter((type) => type === 'OperatingWalletOpened')).toHaveLength(1);
  const { address } = await on.opened(merchant_id);
  for (const one of opened) {
    // The one that was faster may have told its own while the other one had not ended: then there was none yet.
    expect([address, undefined]).toContain(one.ok ? one.value?.address : null);
  }
  expect(opened.some((one) => one.ok && one.value?.address === address)).toBe(true);
});

test('nothing that is written holds a share', async () => {
  const merchant_id = on.merchant();
  const { address } = await on.opened(merchant_id);
  const written = JSON.stringify(await on.history(merchant_id)) + on.lines.join('\n');
  expect(written).toContain(address);
  for (const party of [on.signers.a, on.signers.b, ...on.signers.recoveries]) {
    const secret = party.shares.get(address)?.secret as Uint8Array;
    expect(written).not.toContain(base64(secret).replace(/=+$/, ''));
    expect(written).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

test('an outage of accounts is one, and leaves nothing behind', async () => {
  const merchant_id = on.merchant();
  const calls = { ...on.stage.runtime.calls, ask: async () => Promise.reject(new Error('accounts')) };
  const away = new OperatingWallets({ ...on.stage.runtime, calls });
  const error = await away.open('test', merchant_id).catch((thrown: unknown) => thrown);
  expect(isOutage(error)).toBe(false);
  expect(error).toBeInstanceOf(Error);
  await on.opened(merchant_id);
});

const sessionOf = (event: { readonly data: unknown } | undefined): string =>
  (event?.data as { readonly session: string }).session;
