import { randomBytes } from 'node:crypto';
import type { Operation, Signed } from '@tender/threshold';
import { base64, hasSigned } from '@tender/transactions';
import type { OpenWallet } from '@tender/treasury-domain';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';
import { signTransfer } from './sign-transfer';

let on: WalletsStage;
let wallet: OpenWallet;
beforeAll(async () => {
  on = await walletsStage();
  await on.start();
});
beforeEach(async () => {
  on.reset();
  wallet = await on.dealt();
});
afterAll(() => on.close());

const message = randomBytes(200);
const operation = (): Operation => ({
  ...{ v: 1, id: 'tr_test_1', type: 'settlement', mode: 'test', wallet: wallet.address },
  ...{ to: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', asset: 'USDC', amount: '1000000' },
  ...{ credit: null, exp: Date.now() + 60_000 },
});
const sign = () => signTransfer(on.stage.runtime, wallet, operation(), message);
const eventsOf = async () => (await on.types(wallet.merchant_id)).slice(2);

test('both signers sign, and the signature is that of the wallet', async () => {
  const signing = await sign();
  if (!signing.ok) throw new Error('not signed');
  expect(hasSigned(wallet.address, message, signing.signature)).toBe(true);
  expect(hasSigned(wallet.address, randomBytes(200), signing.signature)).toBe(false);
  expect(on.alarms).toEqual([]);
});

test.each(['A', 'B'] as const)('without %s nothing is signed: it is unavailable, and no alarm', async (role) => {
  on.signers[role === 'A' ? 'a' : 'b'].is_down = true;
  expect(await sign()).toEqual({ ok: false, unavailable: true });
  expect(await eventsOf()).toEqual([]);
  expect(on.alarms).toEqual([]);
});

test('where there are no signers nothing is signed', async () => {
  const runtime = { ...on.stage.runtime, signers: null };
  const signing = await signTransfer(runtime, wallet, operation(), message);
  expect(signing).toEqual({ ok: false, unavailable: true });
});

test.each(['propose', 'sign'])('a refusal to %s is told as it is', async (kind) => {
  on.signers.b.refuses.set(kind, { code: 'day_limit_exceeded', reason: 'more than 10,000 USD' });
  expect(await sign()).toEqual({
    ok: false,
    refused: { role: 'B', code: 'day_limit_exceeded', reason: 'more than 10,000 USD' },
  });
  expect(await eventsOf()).toEqual([]);
  expect(on.alarms).toEqual([]);
});

test('an alarm is told before another refusal, kept, counted and logged', async () => {
  on.signers.a.refuses.set('propose', { code: 'day_limit_exceeded', reason: '' });
  on.signers.b.refuses.set('propose', { code: 'tx_amount_mismatch', reason: 'two, not one' });
  expect(await sign()).toMatchObject({ refused: { role: 'B', code: 'tx_amount_mismatch' } });
  const [alarmed] = (await on.history(wallet.merchant_id)).slice(2);
  expect(alarmed).toMatchObject({
    type: 'SignersAlarmed',
    data: { operation_id: 'tr_test_1', alarms: [{ role: 'B', code: 'tx_amount_mismatch' }] },
  });
  expect(on.alarms).toEqual([[{ code: 'tx_amount_mismatch' }, 1]]);
  expect(on.lines.join('\n')).toContain('signers refuse what an honest treasury never asks');
});

test('three alarms of a wallet freeze it at both signers; a fourth changes nothing', async () => {
  const refused = { code: 'tx_destination_mismatch', reason: '' };
  for (const party of [on.signers.a, on.signers.b]) party.refuses.set('propose', refused);
  await sign();
  // A process that is started anew counts on.
  await on.start();
  await sign();
  expect(on.signers.a.frozen).not.toContain(wallet.address);
  await sign();
  for (const { frozen } of [on.signers.a, on.signers.b]) expect(frozen).toContain(wallet.address);
  await sign();
  const events = await on.history(wallet.merchant_id);
  expect(events.filter(({ type }) => type === 'OperatingWalletFrozen')).toMatchObject([
    { data: { by: 'alarms', reason: null, signers: ['A', 'B'] } },
  ]);
  const { json } = await freezeByMerchant();
  expect(json).toMatchObject({ frozen: true, frozen_by_signers: ['A', 'B'] });
});

test('signers that did not hear to freeze are asked again at the next alarm', async () => {
  for (const party of [on.signers.a, on.signers.b]) {
    party.refuses.set('propose', { code: 'marker_missing', reason: '' });
    party.refuses.set('freeze', { code: 'wallet_unknown', reason: '' });
  }
  for (let alarm = 0; alarm < 3; alarm += 1) await sign();
  expect(await eventsOf()).not.toContain('OperatingWalletFrozen');
  on.signers.b.refuses.delete('freeze');
  await sign();
  const [last] = (await on.history(wallet.merchant_id)).slice(-1);
  expect(last).toMatchObject({ type: 'OperatingWalletFrozen', data: { signers: ['B'] } });
});

/** What one party says of a kind, changed and signed by it: a signer that was taken over. */
function says(role: 'A' | 'B', kind: string, change: (body: Record<string, string>) => object): void {
  on.signers.answers = (from, answer): Signed => {
    if (from !== role || answer.message.kind !== kind) return answer;
    const party = on.signers[role === 'A' ? 'a' : 'b'];
    const body = change(answer.message.body as Record<string, string>);
    return party.says(answer.message, body, kind === 'propose' ? 'all' : 'treasury');
  };
}

test.each(['A', 'B'] as const)('a share of %s that does not fit is found, and its signer is named', async (role) => {
  says(role, 'sign', (body) => {
    const share = Buffer.from(body['share'] as string, 'base64');
    share[0] = (share[0] as number) ^ 1;
    return { ...body, share: base64(share) };
  });
  expect(await sign()).toMatchObject({ refused: { role, code: 'signer_share_invalid' } });
  expect(on.alarms).toEqual([[{ code: 'signer_share_invalid' }, 1]]);
  expect(on.lines.join('\n')).toContain(`"role":"${role}","code":"signer_share_invalid"`);
});

test('what a signer answers for other bytes goes no further', async () => {
  says('B', 'propose', (body) => ({ ...body, intent_digest: '00'.repeat(32) }));
  expect(await sign()).toMatchObject({ refused: { role: 'B', code: 'session_binding_mismatch' } });
  expect(on.signers.wire).not.toContain('"kind":"sign"');
});

test('what is between treasury and a signer cannot answer in its name, nor bring an older answer', async () => {
  on.signers.answers = (role, answer) =>
    role === 'B' ? on.signers.a.says(answer.message, answer.message.body, 'all') : answer;
  expect(await sign()).toEqual({ ok: false, unavailable: true });
  let old: Signed | null = null;
  on.signers.answers = (role, answer) => {
    if (role !== 'B' || answer.message.kind !== 'propose') return answer;
    old ??= answer;
    return old;
  };
  expect(await sign()).toMatchObject({ ok: true });
  expect(await sign()).toEqual({ ok: false, unavailable: true });
  expect(on.alarms).toEqual([
    [{ code: 'answer_not_genuine' }, 1],
    [{ code: 'answer_not_genuine' }, 1],
  ]);
});

function freezeByMerchant() {
  const { stage } = on;
  const caller = stage.caller({ merchant_id: wallet.merchant_id });
  return stage.send('POST', '/api/v1/merchants/me/operating-wallet/freeze', caller, {});
}
