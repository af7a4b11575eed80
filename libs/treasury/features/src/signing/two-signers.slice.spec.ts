import { randomBytes, randomUUID } from 'node:crypto';
import { honestMessage } from '@tender/signer-domain/testing';
import { identityOf, rosterFault, type Operation, type SignedRoster } from '@tender/threshold';
import { base58, hasSigned } from '@tender/transactions';
import { someAddress, testWallet } from '@tender/transactions/testing';
import type { OpenWallet } from '@tender/treasury-domain';
import { thresholdCustody } from '../operating-wallet/threshold-custody';
import { RealSigners, RULES } from '../testing/real-signers';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';
import { askSigner } from './ask-signer';
import { signTransfer } from './sign-transfer';

/** The signers that are released judge here; treasury is asked as its own context asks it. */
const signers = new RealSigners();
const settlement_wallet = testWallet(4).address;
const [fee_payer, attacker] = [testWallet(2).address, testWallet(5).address];
let on: WalletsStage;
let wallet: OpenWallet;
beforeAll(async () => {
  await signers.start();
  on = await walletsStage();
  on.signers = signers;
  await on.start();
});
beforeEach(async () => {
  on.reset();
  wallet = await on.opened(on.merchant(settlement_wallet));
});
afterAll(async () => {
  await on.close();
  await signers.stop();
});

const settlement = (changes: Partial<Operation> = {}): Operation => ({
  ...{ v: 1, id: randomUUID(), type: 'settlement', mode: 'test', wallet: wallet.address },
  ...{ to: settlement_wallet, asset: 'USDC', amount: '2500000', credit: null },
  exp: Date.now() + 60_000,
  ...changes,
});
const messageOf = (op: Operation, recent_blockhash = someAddress(6)): Uint8Array =>
  honestMessage(op, RULES, { fee_payer, recent_blockhash });
const sign = (op: Operation, message = messageOf(op)) =>
  signTransfer(on.stage.runtime, wallet, op, message);

test('they make a wallet, and sign a settlement to the wallet of its roster', async () => {
  const signed = wallet.roster as SignedRoster;
  expect(rosterFault(signed)).toBeNull();
  expect(signed.roster.settlement_wallet).toBe(settlement_wallet);
  const op = settlement();
  const signing = await sign(op);
  if (!signing.ok) throw new Error(JSON.stringify(signing));
  expect(hasSigned(wallet.address, messageOf(op), signing.signature)).toBe(true);
});

test('of forty at once as many are signed as the limit of the day allows, and no fewer', async () => {
  const { sign } = thresholdCustody(on.stage.runtime, on.wallets);
  const { merchant_id } = (wallet.roster as SignedRoster).roster;
  const forty = Array.from({ length: 40 }, () => settlement({ amount: '1000000000' }));
  const signed = await Promise.all(forty.map((op) => sign(merchant_id, op, messageOf(op))));
  expect(signed.filter(({ ok }) => ok)).toHaveLength(10);
});

test('of one operation a second message gets no share while the first may land', async () => {
  const op = settlement();
  expect(await sign(op)).toMatchObject({ ok: true });
  expect(await sign(op, messageOf(op, someAddress(7)))).toMatchObject({
    refused: { code: 'op_already_in_flight' },
  });
  expect(on.alarms).toEqual([]);
});

test('a treasury that was hacked gets nothing for another wallet, and is found out', async () => {
  const elsewhere = settlement({ to: attacker });
  expect(await sign(elsewhere)).toMatchObject({ refused: { code: 'destination_not_whitelisted' } });
  const op = settlement();
  const other = messageOf({ ...op, to: attacker });
  expect(await sign(op, other)).toMatchObject({ refused: { code: 'tx_destination_mismatch' } });
  const refund = settlement({ type: 'refund', to: attacker, credit: base58(randomBytes(64)) });
  expect(await sign(refund)).toMatchObject({ refused: { code: 'credit_not_found' } });
  const types = await on.types(wallet.merchant_id);
  expect(types.filter((type) => type === 'SignersAlarmed')).toHaveLength(2);

  // The third alarm stops the wallet for honest operations, too.
  await sign(settlement({ to: attacker }));
  expect(await on.types(wallet.merchant_id)).toContain('OperatingWalletFrozen');
  expect(await sign(settlement())).toMatchObject({ refused: { code: 'wallet_frozen' } });
});

test('a merchant’s freeze stops at the signers what treasury asks for', async () => {
  const { stage } = on;
  const caller = stage.caller({ merchant_id: wallet.merchant_id });
  const frozen = await stage.send('POST', '/api/v1/merchants/me/operating-wallet/freeze', caller, {});
  expect(frozen.json).toMatchObject({ frozen: true, frozen_by_signers: ['A', 'B'] });
  expect(await sign(settlement())).toMatchObject({ refused: { code: 'wallet_frozen' } });
});

test('one signer that has frozen it is enough', async () => {
  const body = { wallet: wallet.address, reason: 'test' };
  await askSigner(signers, 'B', 'freeze', body, { session: randomUUID() });
  expect(await sign(settlement())).toMatchObject({ refused: { role: 'B', code: 'wallet_frozen' } });
});

test('who is not the treasury that they have pinned is answered nothing', async () => {
  const stranger = identityOf(Buffer.alloc(32, 1));
  const { A, B, identity_keys } = signers;
  const openRecovery = () => signers.openRecovery();
  const others = { A, B, identity_keys, identity: stranger, openRecovery };
  const runtime = { ...on.stage.runtime, signers: others };
  expect(await signTransfer(runtime, wallet, settlement(), messageOf(settlement()))).toEqual({
    ok: false,
    unavailable: true,
  });
});
