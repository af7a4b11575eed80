import { SoftPasskey } from '@tender/signer-domain/testing';
import { passkeyOwners, type PasskeyOwner } from '../testing/passkey-owners';
import { RealSigners } from '../testing/real-signers';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';

/** The signers that are released judge here, by ledgers of their own. */
const signers = new RealSigners();
const PASSKEYS = '/api/v1/merchants/me/passkeys';
const WALLET = '/api/v1/merchants/me/operating-wallet';
const pinOf = ({ credential_id }: SoftPasskey) => ({ type: 'pin_passkey', passkey_id: credential_id });
const unpinOf = ({ credential_id }: SoftPasskey) => ({ type: 'unpin_passkey', passkey_id: credential_id });

let on: WalletsStage;
const { send, registered, merchantWithPasskey, proofOf } = passkeyOwners(() => on);

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
});
afterAll(async () => {
  await on.close();
  await signers.stop();
});

const code = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
const pin = (merchant_id: string, { credential_id }: SoftPasskey, passkey_signature: object) =>
  send('POST', `${PASSKEYS}/${credential_id}/pin`, merchant_id, { passkey_signature });
const unpin = (merchant_id: string, { credential_id }: SoftPasskey, passkey_signature: object) =>
  send('POST', `${PASSKEYS}/${credential_id}/unpin`, merchant_id, { passkey_signature });

async function registeredTo({ merchant_id }: PasskeyOwner): Promise<SoftPasskey> {
  const passkey = new SoftPasskey();
  await registered(merchant_id, passkey);
  return passkey;
}

/** Whether it unfreezes a wallet that is frozen. */
async function unfreezes({ merchant_id }: PasskeyOwner, passkey: SoftPasskey) {
  await send('POST', `${WALLET}/freeze`, merchant_id, {});
  const proof = await proofOf({ merchant_id, passkey }, { type: 'unfreeze_operating_wallet' });
  return send('POST', `${WALLET}/unfreeze`, merchant_id, { passkey_signature: proof });
}

async function ownerOfTwo() {
  const owner = await merchantWithPasskey();
  const second = await registeredTo(owner);
  const done = await pin(owner.merchant_id, second, await proofOf(owner, pinOf(second)));
  expect([done.status, done.json]).toEqual([200, { id: second.credential_id, pinned: true }]);
  return { owner, second };
}

test('a later passkey allows nothing until one that is known has let it in; then it can let in a third', async () => {
  const owner = await merchantWithPasskey();
  const second = await registeredTo(owner);
  expect(code(await unfreezes(owner, second))).toEqual([403, 'passkey_unknown_credential']);
  const proof = await proofOf(owner, pinOf(second));
  expect((await pin(owner.merchant_id, second, proof)).status).toBe(200);
  expect((await unfreezes(owner, second)).status).toBe(200);
  const third = await registeredTo(owner);
  const by_second = await proofOf({ ...owner, passkey: second }, pinOf(third));
  expect((await pin(owner.merchant_id, third, by_second)).status).toBe(200);
  expect((await unfreezes(owner, third)).status).toBe(200);
});

test('S35: a passkey does not let itself in, and a proof lets in the one that it is for alone', async () => {
  const owner = await merchantWithPasskey();
  const [second, third] = [await registeredTo(owner), await registeredTo(owner)];
  const by_itself = await proofOf({ ...owner, passkey: second }, pinOf(second));
  expect(code(await pin(owner.merchant_id, second, by_itself))).toEqual([403, 'passkey_unknown_credential']);
  const for_third = await proofOf(owner, pinOf(third));
  expect(code(await pin(owner.merchant_id, second, for_third))).toEqual([403, 'passkey_operation_mismatch']);
  expect(code(await unpin(owner.merchant_id, owner.passkey, for_third))).toEqual([409, 'passkey_last']);
});

test('S35: a passkey of another merchant is not let in, nor one that signs in', async () => {
  const [owner, other] = [await merchantWithPasskey(), await merchantWithPasskey()];
  const login = new SoftPasskey();
  await registered(owner.merchant_id, login, 'login');
  for (const passkey of [other.passkey, login, new SoftPasskey()]) {
    const operation = pinOf(passkey);
    const asked = await send('POST', '/api/v1/passkey-challenges', owner.merchant_id, { operation });
    expect(code(asked)).toEqual([404, 'not_found']);
    const proof = owner.passkey.allowing(
      { ...{ type: 'pin_passkey', merchant_id: owner.merchant_id }, credential_id: passkey.credential_id, public_key: passkey.public_key },
      Date.now(),
    );
    expect(code(await pin(owner.merchant_id, passkey, proof))).toEqual([404, 'not_found']);
  }
});

test('a passkey that was taken away allows nothing any more; it can be taken away by itself, and never the last', async () => {
  const { owner, second } = await ownerOfTwo();
  const by_itself = await proofOf(owner, unpinOf(owner.passkey));
  const done = await unpin(owner.merchant_id, owner.passkey, by_itself);
  const unpinned = { id: owner.passkey.credential_id, pinned: false };
  expect([done.status, done.json]).toEqual([200, unpinned]);
  expect(code(await unfreezes(owner, owner.passkey))).toEqual([403, 'passkey_unknown_credential']);
  expect((await unfreezes(owner, second)).status).toBe(200);
  const last = await proofOf({ ...owner, passkey: second }, unpinOf(second));
  expect(code(await unpin(owner.merchant_id, second, last))).toEqual([409, 'passkey_last']);
});

test('one that was let in again is not taken away by the proof of before', async () => {
  const { owner, second } = await ownerOfTwo();
  const proof = await proofOf(owner, unpinOf(second));
  expect((await unpin(owner.merchant_id, second, proof)).status).toBe(200);
  const again = await proofOf(owner, pinOf(second));
  expect((await pin(owner.merchant_id, second, again)).status).toBe(200);
  expect(code(await unpin(owner.merchant_id, second, proof))).toEqual([409, 'passkey_challenge_consumed']);
  expect((await unfreezes(owner, second)).status).toBe(200);
});

test.each(['deaf', 'unheard'] as const)('where a signer is %s, the same proof finishes what it has begun', async (how) => {
  const owner = await merchantWithPasskey();
  const second = await registeredTo(owner);
  const { merchant_id } = owner;
  const pinning = await proofOf(owner, pinOf(second));
  signers[how].add('B');
  expect(code(await pin(merchant_id, second, pinning))).toEqual([503, 'service_unavailable']);
  signers[how].clear();
  expect((await pin(merchant_id, second, pinning)).status).toBe(200);
  expect((await unfreezes(owner, second)).status).toBe(200);

  // Also where the passkey has allowed that it is taken away itself, and one signer knows it no more.
  const unpinning = await proofOf({ merchant_id, passkey: second }, unpinOf(second));
  signers[how].add('B');
  expect(code(await unpin(merchant_id, second, unpinning))).toEqual([503, 'service_unavailable']);
  signers[how].clear();
  expect((await unpin(merchant_id, second, unpinning)).status).toBe(200);
  expect(code(await unfreezes(owner, second))).toEqual([403, 'passkey_unknown_credential']);
  // What is done is not done again, and another proof does not stand in for it.
  const other = await proofOf(owner, unpinOf(second));
  expect(code(await unpin(merchant_id, second, other))).toEqual([403, 'passkey_unknown_credential']);
});

test('what is no proof gets to no signer', async () => {
  const { owner, second } = await ownerOfTwo();
  signers.deaf.add('A').add('B');
  for (const ask of [pin, unpin]) {
    expect(code(await ask(owner.merchant_id, second, {}))).toEqual([400, 'passkey_signature_malformed']);
  }
});
