import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runIn, sampleOf } from '@tender/contracts/testing';
import type { OpenWallet } from '@tender/treasury-domain';
import type { SignedRoster } from '@tender/threshold';
import { base64 } from '@tender/transactions';
import { testWallet } from '@tender/transactions/testing';
import { ALARM_CODES } from '../signing/alarm-codes';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';
import { shownWallet } from './shown-wallet';

const ROOT = path.resolve(__dirname, '../../../../..');
const PAGE = path.join(ROOT, 'docs/custody.md');

let on: WalletsStage;
let wallets: readonly OpenWallet[];
beforeAll(async () => {
  on = await walletsStage();
  await on.start();
  wallets = [await on.opened(on.merchant()), await on.opened(on.merchant(testWallet(4).address))];
});
afterAll(() => on.close());

/** As `GET /merchants/me/wallet` answers it. */
const answerOf = (wallet: OpenWallet) => {
  const { address, custody_model, roster } = shownWallet(wallet);
  return {
    operating_wallet_address: address,
    operating_wallet_custody_model: custody_model,
    roster: roster as SignedRoster,
  };
};
type Answer = ReturnType<typeof answerOf>;

/** What the script of the page finds of each of these answers. */
function faults(answers: readonly object[], pinned: readonly string[] = []): readonly string[][] {
  const driver = `
    import { readFileSync, symlinkSync } from 'node:fs';
    symlinkSync(${JSON.stringify(path.join(ROOT, 'node_modules'))}, 'node_modules');
    const { faultsOf } = await import('./verify.mts');
    const { answers, pinned } = JSON.parse(readFileSync(0, 'utf8'));
    console.log(JSON.stringify(answers.map((answer) => faultsOf(answer, pinned))));`;
  const files = { 'verify.mts': sampleOf(PAGE, 'ts'), 'driver.mts': driver };
  const said = runIn(files, [process.execPath, 'driver.mts'], JSON.stringify({ answers, pinned }));
  return JSON.parse(said) as readonly string[][];
}

test('the script of the page finds nothing wrong with wallets that ceremonies have made', () => {
  const { A, B } = on.signers.identity_keys;
  expect(faults(wallets.map(answerOf), [A, B])).toEqual([[], []]);
  expect(faults(wallets.map(answerOf))).toEqual([[], []]);
});

test('it finds what was changed in a roster, and what does not belong to it', () => {
  const [one, other] = wallets.map(answerOf) as [Answer, Answer];
  const { roster, signatures } = one.roster;
  const changed = (changes: object): object => ({
    ...one,
    roster: { roster: { ...roster, ...changes }, signatures },
  });
  const [A, B, R] = roster.parties as [object, object, object];
  const unsigned = ['A', 'B', 'R'].map((role) => `${role} has not signed this roster`);
  const found = faults([
    changed({ settlement_wallet: roster.wallet }),
    changed({ parties: [A, B, { ...R, holder: 'tender' }] }),
    changed({ parties: [{ ...A, verifying_share: base64(new Uint8Array(32)) }, B, R] }),
    changed({ commitments: other.roster.roster.commitments }),
    { ...one, operating_wallet_address: other.operating_wallet_address },
    { ...one, operating_wallet_custody_model: 'self' },
    { ...one, roster: { roster, signatures: { ...signatures, B: other.roster.signatures.B } } },
  ]);
  expect(found[0]).toEqual(unsigned);
  expect(found[1]).toEqual(unsigned);
  expect(found[2]).toContain('the share of A is not one of this key');
  expect(found[3]).toContain('the address does not follow from the commitments');
  expect(found[4]).toEqual(['the roster is of another wallet']);
  expect(found[5]).toEqual(['the custody model is another one']);
  expect(found[6]).toEqual(['B has not signed this roster']);
});

test('a roster that others have made up whole shows by its keys', () => {
  const keys = [on.signers.identity_keys.B, on.signers.identity_keys.A];
  expect(faults([answerOf(wallets[0] as OpenWallet)], keys)).toEqual([
    ['A is not the signer that you expect', 'B is not the signer that you expect'],
  ]);
});

test('the page names every code that alarms', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(ALARM_CODES.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
