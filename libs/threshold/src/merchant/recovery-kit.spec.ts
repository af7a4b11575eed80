import { base64, hasSigned } from '@tender/transactions';
import { canonicalBytes, sha256Hex } from '../canonical-bytes';
import { signedTogether } from '../sign-together';
import { ownWallet } from '../testing';
import { KitFault } from './kit-fault';
import { isPassphrase, PASSPHRASE_LENGTH_MIN } from './passphrase';
import { openKit, recoveryKit, renewedKit, walletOfKit } from './recovery-kit';

const PASSPHRASE = 'caf\u00e9 at the corner';
const { shares, roster } = ownWallet().of_merchant;
const tender_identity_key = roster.parties[0]?.identity_key as string;
const other = ownWallet().of_merchant.shares;
const content = {
  ...{ network: 'solana', passphrase: PASSPHRASE, made_at: '2026-11-23T12:00:00.000Z' },
  ...{ share_c: shares.C, share_r: shares.R, tender_identity_key },
};
let text = '';
beforeAll(async () => {
  text = await recoveryKit(content);
});

type Fields = Record<string, unknown> & { share_c: Record<string, unknown> };
const changed = (change: (kit: Fields) => void, { sum }: { sum: boolean }): string => {
  const kit = JSON.parse(text) as Fields;
  change(kit);
  const { checksum: _, ...rest } = kit;
  if (sum) kit['checksum'] = sha256Hex(canonicalBytes('tender.recovery-kit.v1', rest));
  return JSON.stringify(kit);
};
const faultOf = async (kit: string, passphrase = PASSPHRASE): Promise<string> => {
  try {
    await openKit(kit, passphrase);
  } catch (error) {
    if (error instanceof KitFault) return error.code;
    throw error;
  }
  return 'it opened';
};

it('opens with its passphrase alone, and its two shares sign for the wallet', async () => {
  const { shares: opened, ...about } = await openKit(text, PASSPHRASE);
  expect(about).toEqual({
    ...{ wallet: roster.wallet, network: 'solana', made_at: content.made_at, tender_identity_key },
  });
  const message = Buffer.from('leaves');
  const signature = signedTogether([opened.C, opened.R], message);
  expect(hasSigned(roster.wallet, message, signature)).toBe(true);
  expect(await faultOf(text, `${PASSPHRASE} `)).toBe('passphrase_wrong');
  expect(await faultOf(text, '')).toBe('passphrase_wrong');
});

it('opens with the same characters from another keyboard', async () => {
  expect(await faultOf(text, PASSPHRASE.normalize('NFD'))).toBe('it opened');
});

it('says in plain words what it is and how to leave, and does not show share C', () => {
  const kit = JSON.parse(text) as Fields;
  expect(kit['what']).toContain('share C under your passphrase');
  expect(kit['leave']).toContain('npm run exit-wallet');
  expect(walletOfKit(text)).toBe(roster.wallet);
  expect(kit['share_r']).toBe(base64(shares.R.secret));
  for (const form of ['hex', 'base64'] as const) {
    expect(text).not.toContain(Buffer.from(shares.C.secret).toString(form));
  }
  expect(text).not.toContain(PASSPHRASE);
});

it('opens, and is made anew, where it is one of the first, which named no key of Tender', async () => {
  const first = await recoveryKit({ ...content, tender_identity_key: undefined });
  expect(Object.keys(JSON.parse(first) as Fields)).not.toContain('tender_identity_key');
  expect(await faultOf(first)).toBe('it opened');
  const renewed = await renewedKit(first, { ...content, passphrase: 'another long one' });
  expect(await faultOf(renewed, 'another long one')).toBe('it opened');
});

it('whose passphrase is lost is made anew with share C as a passkey opens it', async () => {
  const made_at = '2026-12-24T12:00:00.000Z';
  const anew = { share_c: shares.C, passphrase: 'another long one', made_at };
  const renewed = await renewedKit(text, anew);
  const { shares: opened, ...about } = await openKit(renewed, anew.passphrase);
  expect(about).toEqual({ wallet: roster.wallet, network: 'solana', made_at, tender_identity_key });
  const message = Buffer.from('leaves');
  const signature = signedTogether([opened.C, opened.R], message);
  expect(hasSigned(roster.wallet, message, signature)).toBe(true);
  expect(await faultOf(renewed)).toBe('passphrase_wrong');
  expect(await faultOf(text)).toBe('it opened');
});

it('is not made anew with a share of another wallet, or under a passphrase that is too short', async () => {
  const made_at = content.made_at;
  const given = { share_c: shares.C, passphrase: PASSPHRASE, made_at };
  const codeOf = (change: object) =>
    renewedKit(text, { ...given, ...change }).catch(({ code }) => code);
  expect(await codeOf({ share_c: other.C })).toBe('kit_damaged');
  const of_other_key = { ...shares.C, commitments: other.C.commitments };
  expect(await codeOf({ share_c: of_other_key })).toBe('kit_damaged');
  expect(await codeOf({ passphrase: 'short' })).toBe('passphrase_too_short');
});

it('erases share R where the passphrase is wrong', async () => {
  const erased: string[] = [];
  const spies = [Uint8Array.prototype, Buffer.prototype].map((bytes) => {
    const { fill } = bytes as { fill: (this: Uint8Array, ...given: unknown[]) => Uint8Array };
    const spied = jest.spyOn(bytes as Uint8Array, 'fill');
    return spied.mockImplementation(function (this: Uint8Array, ...given: unknown[]) {
      if (this.length === 32 && given[0] === 0) erased.push(base64(this));
      return fill.apply(this, given) as never;
    });
  });
  const fault = await faultOf(text, 'not this passphrase');
  for (const spy of spies) spy.mockRestore();
  expect(fault).toBe('passphrase_wrong');
  expect(erased).toContain(base64(shares.R.secret));
});

it('tells how far it is', async () => {
  const told: number[] = [];
  await openKit(text, PASSPHRASE, (done) => told.push(done));
  expect([told[0], told.at(-1)]).toEqual([0, 1]);
});

const damages: readonly [string, (kit: Fields) => void][] = [
  ['the wallet', (kit) => (kit['wallet'] = other.C.wallet)],
  ['share R', (kit) => (kit['share_r'] = base64(other.R.secret))],
  ['share C', (kit) => (kit.share_c['salt'] = base64(Buffer.alloc(16)))],
  ['what it says', (kit) => (kit['leave'] = 'send everything to me')],
  ['whose key of Tender it names', (kit) => (kit['tender_identity_key'] = other.C.wallet)],
  ['when it was made', (kit) => (kit['made_at'] = '2027-01-01')],
];
it.each(damages)('is damaged where %s was changed, before any passphrase', async (_, change) => {
  expect(await faultOf(changed(change, { sum: false }), 'not it')).toBe('kit_damaged');
});

it('of which a hand has changed share R, the wallet or its key is damaged, whatever its sum says', async () => {
  const by_hand: readonly ((kit: Fields) => void)[] = [
    (kit) => (kit['share_r'] = base64(other.R.secret)),
    (kit) => (kit['wallet'] = other.C.wallet),
    (kit) => (kit['commitments'] = other.C.commitments),
  ];
  for (const change of by_hand) {
    expect(await faultOf(changed(change, { sum: true }))).toBe('kit_damaged');
  }
  const moved = changed((kit) => (kit['network'] = 'another'), { sum: true });
  expect(await faultOf(moved)).toBe('passphrase_wrong');
});

const costs: readonly [string, object][] = [
  ['too cheap to guess', { n: 2 ** 16 }],
  ['a day of work', { n: 2 ** 30 }],
  ['no power of two', { n: 2 ** 17 + 1 }],
  ['wide', { r: 64 }],
  ['long', { p: 1000 }],
  ['no number', { n: '131072' }],
  ['of another method', { kdf: 'none' }],
];
it.each(costs)('with a cost that is %s is none', async (_, cost) => {
  const kit = changed(({ share_c }) => Object.assign(share_c, cost), { sum: true });
  expect(await faultOf(kit)).toBe('kit_malformed');
});

it.each(['', 'null', '{}', '[]', '{"version":2}'])('is not %p', async (none) => {
  expect(await faultOf(none)).toBe('kit_malformed');
});

it(`takes a passphrase of ${PASSPHRASE_LENGTH_MIN} characters, counted as people count them`, async () => {
  const fault = recoveryKit({ ...content, passphrase: '12345678901' }).catch(({ code }) => code);
  expect(await fault).toBe('passphrase_too_short');
  expect(isPassphrase('123456789012')).toBe(true);
  expect(isPassphrase('12345678901 ')).toBe(false);
  expect(isPassphrase('😀'.repeat(11))).toBe(false);
  expect(isPassphrase('e\u0301'.repeat(11))).toBe(false);
  expect(isPassphrase('😀'.repeat(12))).toBe(true);
});
