import { randomBytes, randomUUID } from 'node:crypto';
import { done, isoTime } from '@tender/kernel';
import { honestMessage } from '@tender/signer-domain/testing';
import { identityOf, rosterBytes, type Operation, type SignedRoster } from '@tender/threshold';
import { dealtWallet } from '@tender/threshold/testing';
import { base64 } from '@tender/transactions';
import { freshTestWallet, someAddress, testWallet } from '@tender/transactions/testing';
import type { OpenWallet } from '@tender/treasury-domain';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { holdCeremony } from '../operating-wallet/ceremony';
import type { CeremonyFailure } from '../operating-wallet/ceremony-failure';
import { systemOrigin } from '../system-origin';
import { RealSigners, RULES } from '../testing/real-signers';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';
import { askSigner } from './ask-signer';
import { signTransfer } from './sign-transfer';

/**
 * A gateway that was hacked writes what it likes into the log; a treasury that was hacked signs what it likes to both
 * signers, which are those that are released. `docs/security.md` says what each of them gains.
 */
const signers = new RealSigners();
const settlement_wallet = testWallet(4).address;
const [fee_payer, attacker] = [testWallet(2).address, testWallet(5).address];
const FORGED = [[{ code: 'wallet_not_genuine' }, 1]];
let on: WalletsStage;
beforeAll(async () => {
  await signers.start();
  on = await walletsStage();
  on.signers = signers;
  await on.start();
});
beforeEach(() => {
  on.reset();
  signers.chain.becomes = 'open';
});
afterAll(async () => {
  await on.close();
  await signers.stop();
});

/** What a program that can write into the log can make it say of a merchant’s wallet. */
async function forge(merchant_id: string, signed: object, address: string): Promise<void> {
  const [session, at] = [randomUUID(), isoTime(on.stage.runtime.clock.now())];
  const begin = { type: 'BeginWallet', merchant_id, settlement_wallet: null, session, at } as const;
  const open = { type: 'OpenWalletOf', session, address, roster: signed, at } as const;
  for (const command of [begin, open]) {
    const origin = systemOrigin(on.stage.runtime, randomUUID(), merchant_id);
    await operatingWallets.handle(on.stage.runtime, 'test', merchant_id, command, origin);
  }
}

const resigned = (signed: SignedRoster, changes: Partial<SignedRoster['roster']>): SignedRoster => {
  const roster = { ...signed.roster, ...changes };
  const signature = base64(identityOf(randomBytes(32)).sign(rosterBytes(roster)));
  return { roster, signatures: { A: signature, B: signature, R: signature } };
};

describe('a gateway that was hacked', () => {
  test('makes treasury neither show nor pay out of a wallet that the signers have not made', async () => {
    const merchant_id = on.merchant(settlement_wallet);
    // The attacker has every share, and all numbers and signatures are right.
    const { roster, signatures } = dealtWallet({ merchant_id, settlement_wallet: attacker });
    await forge(merchant_id, { roster, signatures }, roster.wallet);
    expect(await on.ask(merchant_id)).toEqual(done(null));
    expect(on.alarms).toEqual(FORGED);
    expect(on.lines.join()).toContain('its A is not the signer that is pinned');
    expect(signers.recoveries).toHaveLength(0);
  });

  test('nor of one that is another merchant’s, or goes under other terms than were signed', async () => {
    const other = await on.opened(on.merchant(attacker));
    const { roster } = other;
    const [theirs, changed, misplaced] = [0, 1, 2].map(() => on.merchant(settlement_wallet));
    await forge(theirs!, roster, other.address);
    const terms = { merchant_id: changed!, settlement_wallet: attacker };
    await forge(changed!, resigned(roster as SignedRoster, terms), other.address);
    const own = await on.opened(misplaced!, 'live');
    await forge(misplaced!, own.roster, own.address);
    for (const merchant_id of [theirs!, changed!, misplaced!]) {
      expect(await on.ask(merchant_id)).toEqual(done(null));
    }
    expect(on.alarms).toEqual([FORGED[0], FORGED[0], FORGED[0]]);
  });
});

describe('a treasury that was hacked', () => {
  let wallet: OpenWallet;
  beforeEach(async () => {
    wallet = await on.opened(on.merchant(settlement_wallet));
  });

  const settlement = (changes: Partial<Operation> = {}): Operation => ({
    ...{ v: 1, id: randomUUID(), type: 'settlement', mode: 'test', wallet: wallet.address },
    ...{ to: settlement_wallet, asset: 'USDC', amount: '2500000', credit: null },
    exp: Date.now() + 60_000,
    ...changes,
  });
  const messageOf = (op: Operation): Uint8Array =>
    honestMessage(op, RULES, { fee_payer, recent_blockhash: someAddress(6) });
  const sign = (op: Operation, of = wallet) =>
    signTransfer(on.stage.runtime, of, op, messageOf(op));
  const paidIn = (from: string, amount: bigint): string =>
    signers.chain.paid(from, amount, wallet.address);
  const refund = (to: string, credit: string, amount: string): Operation =>
    settlement({ type: 'refund', to, credit, amount });
  const asked = async (kind: string, body: object) => {
    const both = (['A', 'B'] as const).map((role) =>
      askSigner(signers, role, kind as 'describe', body as never, { session: randomUUID() }),
    );
    return Promise.all(both);
  };

  test('has a refund signed for who paid alone, and no more than was paid', async () => {
    const customer = freshTestWallet().address;
    const credit = paidIn(customer, 5_000_000n);
    expect(await sign(refund(attacker, credit, '1'))).toMatchObject({
      refused: { code: 'credit_source_mismatch' },
    });
    expect(await sign(refund(customer, credit, '3000000'))).toMatchObject({ ok: true });
    expect(await sign(refund(customer, credit, '2000001'))).toMatchObject({
      refused: { code: 'credit_exceeded' },
    });
  });

  test('has what came to the merchant’s own wallet refunded once, also by two merchants who share it', async () => {
    const other = await on.opened(on.merchant(settlement_wallet));
    const customer = freshTestWallet().address;
    const credit = signers.chain.paid(customer, 5_000_000n, settlement_wallet);
    const of = (amount: string, from = wallet): Operation =>
      ({ ...refund(customer, credit, amount), wallet: from.address });
    expect(await sign(of('3000000'))).toMatchObject({ ok: true });
    expect(await sign(of('2000001', other), other)).toMatchObject({
      refused: { code: 'credit_exceeded' },
    });
    expect(await sign(of('2000000', other), other)).toMatchObject({ ok: true });
    expect(await sign(of('1'))).toMatchObject({ refused: { code: 'credit_exceeded' } });
  });

  test('asks both merchants at once for a refund of one credit, and gets one', async () => {
    const other = await on.opened(on.merchant(settlement_wallet));
    const customer = freshTestWallet().address;
    const credit = signers.chain.paid(customer, 5_000_000n, settlement_wallet);
    const asked = [wallet, other, wallet, other].map((from) =>
      sign({ ...refund(customer, credit, '5000000'), wallet: from.address }, from),
    );
    const results = await Promise.all(asked);
    expect(results.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    // Both signers may have reserved another one of them: none is left once those have lapsed.
    signers.ahead_ms = 16_000;
    signers.chain.becomes = 'dead';
    const last = { ...refund(customer, credit, '5000000'), exp: Date.now() + 76_000 };
    expect(await sign(last)).toMatchObject({ ok: true });
    signers.ahead_ms = 0;
  });

  test('where one transaction paid both wallets, what the operating wallet got is all of it', async () => {
    const customer = freshTestWallet().address;
    const credit = signers.chain.paid(customer, 5_000_000n, wallet.address, settlement_wallet);
    expect(await sign(refund(customer, credit, '5000001'))).toMatchObject({
      refused: { code: 'credit_exceeded' },
    });
    expect(await sign(refund(customer, credit, '5000000'))).toMatchObject({ ok: true });
  });

  test('has no settlement and no refund of ours refunded', async () => {
    const other = await on.opened(on.merchant(settlement_wallet));
    // A settlement of another merchant to the wallet that both share, or a refund that one got of the other.
    const credit = signers.chain.paid(other.address, 5_000_000n, settlement_wallet);
    expect(await sign(refund(other.address, credit, '5000000'))).toMatchObject({
      refused: { code: 'credit_not_payment' },
    });
  });

  test('knows no word that raises a limit or unfreezes a wallet without a passkey', async () => {
    await asked('freeze', { wallet: wallet.address, reason: 'test' });
    const body = { wallet: wallet.address, day_limit_cents: 100_000_000, proof: null };
    const refused = (code: string) => [{ refused: { code } }, { refused: { code } }];
    for (const kind of ['unfreeze', 'limit']) {
      expect(await asked(kind, body)).toMatchObject(refused('passkey_signature_malformed'));
    }
    for (const kind of ['thaw', 'limits', 'set-limit', 'configure', 'import', 'constructor']) {
      expect(await asked(kind, body)).toMatchObject(refused('kind_unknown'));
    }
    await asked('freeze', { wallet: wallet.address, reason: '', frozen: false });
    const more = settlement({ day_limit_cents: 1 } as object);
    expect(await sign(more)).toMatchObject({ refused: { code: 'op_malformed' } });
    const told = { frozen: true, day_limit_cents: RULES.day_limit_cents, day_used_cents: 0 };
    const answers = await asked('describe', { wallet: wallet.address });
    expect(answers.map((one) => one.ok && one.answer.message.body)).toEqual([told, told]);
    expect(await sign(settlement())).toMatchObject({ refused: { code: 'wallet_frozen' } });
  });

  test('holds up what it had signed and keeps back no longer than that may land', async () => {
    const customer = freshTestWallet().address;
    const credit = paidIn(customer, 5_000_000n);
    expect(await sign(refund(customer, credit, '5000000'))).toMatchObject({ ok: true });
    const honest = refund(customer, credit, '5000000');
    expect(await sign(honest)).toMatchObject({ refused: { code: 'credit_exceeded' } });
    // The signer finds the open share itself: nothing names it.
    signers.chain.becomes = 'dead';
    expect(await sign(honest)).toMatchObject({ ok: true });
  });

  test('uses up the limit of a day no longer than what it had signed may land', async () => {
    const ten = Array.from({ length: 10 }, () => settlement({ amount: '1000000000' }));
    for (const op of ten) expect(await sign(op)).toMatchObject({ ok: true });
    expect(await sign(settlement())).toMatchObject({ refused: { code: 'day_limit_exceeded' } });
    signers.chain.becomes = 'dead';
    expect(await sign(settlement())).toMatchObject({ ok: true });
  });

  test('and an honest one after it has an operation signed again whose message has died', async () => {
    const op = settlement();
    expect(await sign(op)).toMatchObject({ ok: true });
    expect(await sign(op)).toMatchObject({ refused: { code: 'op_already_in_flight' } });
    signers.chain.becomes = 'settled';
    expect(await sign(op)).toMatchObject({ refused: { code: 'op_already_settled' } });
    const other = settlement();
    expect(await sign(other)).toMatchObject({ ok: true });
    signers.chain.becomes = 'dead';
    expect(await sign(other)).toMatchObject({ ok: true });
    expect(on.alarms).toEqual([]);
  });

  test('spoils one id, from this wallet or another, and the same money leaves under the next', async () => {
    const other = await on.opened(on.merchant(settlement_wallet));
    const id = randomUUID();
    const theirs = settlement({ id, wallet: other.address });
    expect(await sign(theirs, other)).toMatchObject({ ok: true });
    expect(await sign(settlement({ id }))).toMatchObject({ refused: { code: 'op_changed' } });
    expect(await sign(settlement())).toMatchObject({ ok: true });
  });

  test('has no second wallet made that settles to the attacker, or after the first was used', async () => {
    const { merchant_id } = wallet;
    const second = async (settles_to: string) => {
      const subject = { merchant_id, mode: 'test', settlement_wallet: settles_to } as const;
      return holdCeremony(signers, subject, randomUUID(), async () => undefined).then(
        () => 'made',
        (error: CeremonyFailure) => error.code,
      );
    };
    expect(await second(attacker)).toBe('dkg_wallet_exists');
    // As a ceremony leaves one whose end treasury did not live to see.
    expect(await second(settlement_wallet)).toBe('made');
    expect(await sign(settlement())).toMatchObject({ ok: true });
    expect(await second(settlement_wallet)).toBe('dkg_wallet_exists');
  });

  test('has a wallet made that pays the attacker where there is none, and the others go on as they were', async () => {
    const { address, merchant_id } = wallet;
    const other = await on.wallets['madeOrNull'](signers, { mode: 'live', merchant_id }, attacker);
    expect((other?.roster as SignedRoster).roster.settlement_wallet).toBe(attacker);
    expect((await on.opened(merchant_id)).address).toBe(address);
    expect(await sign(settlement({ to: attacker }))).toMatchObject({
      refused: { code: 'destination_not_whitelisted' },
    });
  });
});
