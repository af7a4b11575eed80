import { randomUUID } from 'node:crypto';
import { passkeyRegistered } from '@tender/contracts';
import { streamName } from '@tender/eventing';
import { SoftPasskey, type ProofChanges } from '@tender/signer-domain/testing';
import type { HostedRole } from '@tender/threshold';
import { askSigner } from '../signing/ask-signer';
import { passkeyOwners, settlement_wallet } from '../testing/passkey-owners';
import { RealSigners } from '../testing/real-signers';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';

/** The signers that are released judge here, by ledgers of their own. */
const signers = new RealSigners();
const WALLET = '/api/v1/merchants/me/operating-wallet';
const UNFREEZE = { type: 'unfreeze_operating_wallet' } as const;
const limitTo = (per_day_usd: number) => ({ type: 'set_operating_wallet_limits', per_day_usd }) as const;

let on: WalletsStage;
beforeAll(async () => {
  await signers.start();
  on = await walletsStage();
  on.signers = signers;
  await on.start();
});
beforeEach(() => {
  on.reset();
  signers.deaf.clear();
  signers.unheard.clear();
  signers.ahead_ms = 0;
});
afterAll(async () => {
  await on.close();
  await signers.stop();
});

const { send, registered, merchantWithPasskey, proofOf } = passkeyOwners(() => on);

const freeze = (merchant_id: string) => send('POST', `${WALLET}/freeze`, merchant_id, {});
const unfreeze = (merchant_id: string, passkey_signature: object, changes: object = {}) =>
  send('POST', `${WALLET}/unfreeze`, merchant_id, { passkey_signature }, changes);
/** Both signers are asked again until they know the passkey. */
async function unfrozenOnceKnown(merchant_id: string, proof: object) {
  let answer = await unfreeze(merchant_id, proof);
  while (answer.json.code === 'passkey_required') answer = await unfreeze(merchant_id, proof);
  return answer;
}
const limit = (merchant_id: string, per_day_usd: number, passkey_signature: object) =>
  send('PUT', `${WALLET}/limits`, merchant_id, { per_day_usd, passkey_signature });

async function atSigners(address: string): Promise<readonly object[]> {
  return Promise.all((['A', 'B'] as const).map((role) => described(role, address)));
}
async function described(role: HostedRole, wallet: string) {
  const asked = await askSigner(signers, role, 'describe', { wallet }, { session: randomUUID() });
  if (!asked.ok) throw new Error(JSON.stringify(asked));
  return asked.answer.message.body as object;
}
const code = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

test('a frozen wallet goes on by a passkey of its merchant, and others hear of it', async () => {
  const { merchant_id, address, passkey } = await merchantWithPasskey();
  await freeze(merchant_id);
  const proof = await proofOf({ merchant_id, passkey }, UNFREEZE);
  const done = await unfreeze(merchant_id, proof, { command_id: 'unfreeze-once' });
  const unfrozen = { operating_wallet_address: address, frozen: false };
  expect([done.status, done.json]).toEqual([200, unfrozen]);
  expect(await atSigners(address)).toMatchObject([{ frozen: false }, { frozen: false }]);
  expect((await on.history(merchant_id)).at(-1)).toMatchObject({
    type: 'OperatingWalletUnfrozen',
    data: { passkey_id: passkey.credential_id },
  });
  // A repeat gets the same answer, and asks no signer.
  signers.deaf.add('A').add('B');
  expect(await unfreeze(merchant_id, proof, { command_id: 'unfreeze-once' })).toMatchObject({ status: 200, json: done.json });
});

test('S35: an unfreeze cannot be had again by the same proof once the wallet is frozen again', async () => {
  const whose = await merchantWithPasskey();
  const { merchant_id, address } = whose;
  await freeze(merchant_id);
  const proof = await proofOf(whose, UNFREEZE);
  await unfreeze(merchant_id, proof);
  await freeze(merchant_id);
  expect(code(await unfreeze(merchant_id, proof))).toEqual([409, 'passkey_challenge_consumed']);
  expect(await atSigners(address)).toMatchObject([{ frozen: true }, { frozen: true }]);
});

test.each(['deaf', 'unheard'] as const)('where a signer is %s, the same proof finishes what it has begun', async (how) => {
  const whose = await merchantWithPasskey();
  const { merchant_id, address } = whose;
  await freeze(merchant_id);
  const proof = await proofOf(whose, UNFREEZE);
  signers[how].add('B');
  expect(code(await unfreeze(merchant_id, proof))).toEqual([503, 'service_unavailable']);
  expect(await on.ask(merchant_id)).toMatchObject({ value: { frozen: true } });
  signers[how].clear();
  expect((await unfreeze(merchant_id, proof)).status).toBe(200);
  expect(await atSigners(address)).toMatchObject([{ frozen: false }, { frozen: false }]);
});

test('S47: the limit of a day is that which a passkey has set, at both signers, up and down', async () => {
  const whose = await merchantWithPasskey();
  const { merchant_id, address } = whose;
  for (const usd of [25_000.5, 12]) {
    const done = await limit(merchant_id, usd, await proofOf(whose, limitTo(usd)));
    const answer = { operating_wallet_address: address, per_day_usd: usd };
    expect([done.status, done.json]).toEqual([200, answer]);
    const cents = { day_limit_cents: usd * 100 };
    expect(await atSigners(address)).toMatchObject([cents, cents]);
  }
  expect(await on.types(merchant_id)).toEqual([
    ...['OperatingWalletBegun', 'OperatingWalletOpened'],
    ...['OperatingWalletLimited', 'OperatingWalletLimited'],
  ]);
});

test('S35: another amount than the passkey has allowed is refused by both', async () => {
  const whose = await merchantWithPasskey();
  const proof = await proofOf(whose, limitTo(100));
  expect(code(await limit(whose.merchant_id, 1_000, proof))).toEqual([403, 'passkey_operation_mismatch']);
  const untouched = { day_limit_cents: 1_000_000 };
  expect(await atSigners(whose.address)).toMatchObject([untouched, untouched]);
});

test.each<[string, ProofChanges]>([
  ['passkey_invalid', { client: { origin: 'https://evil.example' } }],
  ['user_verification_required', { flags: 0b001 }],
])('%s is told', async (told, changes) => {
  const whose = await merchantWithPasskey();
  await freeze(whose.merchant_id);
  const proof = await proofOf(whose, UNFREEZE, changes);
  expect(code(await unfreeze(whose.merchant_id, proof))).toEqual([403, told]);
});

test('a challenge that has expired by the clocks of the signers is refused', async () => {
  const whose = await merchantWithPasskey();
  await freeze(whose.merchant_id);
  const proof = await proofOf(whose, UNFREEZE);
  signers.ahead_ms = 120_000;
  expect(code(await unfreeze(whose.merchant_id, proof))).toEqual([403, 'passkey_challenge_expired']);
});

test('S35: the passkey of another merchant opens nothing', async () => {
  const [whose, other] = [await merchantWithPasskey(), await merchantWithPasskey()];
  await freeze(whose.merchant_id);
  const proof = await proofOf({ merchant_id: whose.merchant_id, passkey: other.passkey }, UNFREEZE);
  expect(code(await unfreeze(whose.merchant_id, proof))).toEqual([403, 'passkey_unknown_credential']);
});

test('without a passkey one is asked for; a login passkey is none, and a second one is not believed', async () => {
  const merchant_id = on.merchant(settlement_wallet);
  await on.opened(merchant_id);
  await freeze(merchant_id);
  const [login, first, second] = [new SoftPasskey(), new SoftPasskey(), new SoftPasskey()];
  await registered(merchant_id, login, 'login');
  const by = (passkey: SoftPasskey) => proofOf({ merchant_id, passkey }, UNFREEZE);
  expect(code(await unfreeze(merchant_id, await by(login)))).toEqual([403, 'passkey_required']);
  await registered(merchant_id, first);
  await registered(merchant_id, second);
  expect(code(await unfreeze(merchant_id, await by(second)))).toEqual([403, 'passkey_unknown_credential']);
  expect((await unfreeze(merchant_id, await by(first))).status).toBe(200);
});

test('a passkey that was registered while a signer heard nothing is known to it later', async () => {
  const merchant_id = on.merchant(settlement_wallet);
  await on.opened(merchant_id);
  await freeze(merchant_id);
  const passkey = new SoftPasskey();
  signers.deaf.add('B');
  const { credential_id: passkey_id, public_key } = passkey;
  const data = { merchant_id, passkey_id, kind: 'signing', public_key, asked_by: 'session' };
  await on.stage.say(streamName('merchant', 'all', merchant_id), passkeyRegistered.type, data);
  await on.stage.settle();
  signers.deaf.clear();
  const proof = await proofOf({ merchant_id, passkey }, UNFREEZE);
  expect(code(await unfrozenOnceKnown(merchant_id, proof))).toEqual([200, undefined]);
});

test('a passkey that was registered while treasury had no signers is known to them later', async () => {
  const merchant_id = on.merchant(settlement_wallet);
  await on.opened(merchant_id);
  await freeze(merchant_id);
  const [passkey, later] = [new SoftPasskey(), new SoftPasskey()];
  await on.start({ signers: null });
  await registered(merchant_id, passkey);
  await on.start();
  await registered(merchant_id, later);
  const proof = await proofOf({ merchant_id, passkey }, UNFREEZE);
  expect(code(await unfrozenOnceKnown(merchant_id, proof))).toEqual([200, undefined]);
  // In the order in which they were registered.
  await freeze(merchant_id);
  const by_later = await proofOf({ merchant_id, passkey: later }, UNFREEZE);
  expect(code(await unfreeze(merchant_id, by_later))).toEqual([403, 'passkey_unknown_credential']);
});

test('S5: a passkey of a link that an API key has asked for is not believed, though it is the first', async () => {
  const merchant_id = on.merchant(settlement_wallet);
  await on.opened(merchant_id);
  await freeze(merchant_id);
  const [stolen, own] = [new SoftPasskey(), new SoftPasskey()];
  await registered(merchant_id, stolen, 'signing', 'key');
  const by = (passkey: SoftPasskey) => proofOf({ merchant_id, passkey }, UNFREEZE);
  expect(code(await unfreeze(merchant_id, await by(stolen)))).toEqual([403, 'passkey_required']);
  const pin = { type: 'pin_passkey', passkey_id: stolen.credential_id } as const;
  const passkey_signature = await proofOf({ merchant_id, passkey: stolen }, pin);
  const path = `/api/v1/merchants/me/passkeys/${stolen.credential_id}/pin`;
  expect(code(await send('POST', path, merchant_id, { passkey_signature }))).toEqual([403, 'passkey_required']);
  await registered(merchant_id, own);
  expect((await unfreeze(merchant_id, await by(own))).status).toBe(200);
});

test('a challenge is for what can be: of a wallet that is there, and frozen where it is to go on', async () => {
  const ask = (merchant_id: string, operation: object) =>
    send('POST', '/api/v1/passkey-challenges', merchant_id, { operation });
  expect(code(await ask(on.merchant(settlement_wallet), UNFREEZE))).toEqual([409, 'wallet_not_ready']);
  const { merchant_id } = await merchantWithPasskey();
  expect(code(await ask(merchant_id, UNFREEZE))).toEqual([409, 'wallet_not_frozen']);
  const malformed = [
    ...[{ type: 'set_operating_wallet_limits' }, { ...UNFREEZE, per_day_usd: 1 }, { type: 'pin_passkey' }],
    ...[{ ...limitTo(1), passkey_id: 'AQID' }, { type: 'unpin_passkey', passkey_id: 'AQID', per_day_usd: 1 }],
  ];
  for (const operation of malformed) {
    expect([operation, ...code(await ask(merchant_id, operation))]).toEqual([operation, 400, 'invalid_parameter']);
  }
});

test('of what is wrong with a request nothing gets to the signers', async () => {
  const whose = await merchantWithPasskey();
  const { merchant_id } = whose;
  const proof = await proofOf(whose, limitTo(5));
  expect(code(await unfreeze(merchant_id, { ...proof, signature: [300] }))).toEqual([400, 'passkey_signature_malformed']);
  expect(code(await unfreeze(merchant_id, proof))).toEqual([409, 'wallet_not_frozen']);
  expect(code(await limit(on.merchant(settlement_wallet), 5, proof))).toEqual([409, 'wallet_not_ready']);
});

test('the three forms of a proof are one', async () => {
  const whose = await merchantWithPasskey();
  const { merchant_id } = whose;
  const forms = [(text: string) => [...Buffer.from(text, 'base64url')], (text: string) => Buffer.from(text, 'base64url').toString('base64')];
  for (const form of forms) {
    await freeze(merchant_id);
    const { credential_id, ...binary } = await proofOf(whose, UNFREEZE);
    const fields = Object.entries(binary).map(([name, text]) => [name, form(text)]);
    const written = Object.fromEntries(fields);
    expect((await unfreeze(merchant_id, { credential_id, ...written })).status).toBe(200);
  }
});
