import { randomBytes } from 'node:crypto';
import { identityOf, rosterBytes, type Roster, type Signed } from '@tender/threshold';
import { base64 } from '@tender/transactions';
import type { StageAnswer } from '@tender/runtime/testing';
import { PasskeyWallets } from '../testing/passkey-wallets';

const on = new PasskeyWallets();
beforeAll(() => on.start());
beforeEach(() => on.reset());
afterAll(() => on.close());

type Merchant = Awaited<ReturnType<typeof on.newMerchant>>;

const isRefused = async (merchant: Merchant, said: Promise<StageAnswer>, code: string) => {
  const { status, json } = await said;
  expect([status, json.code, json.details?.code]).toEqual([409, 'ceremony_failed', code]);
  expect(await on.addressOf(merchant.id)).toBeNull();
};

const agreed = async () => {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  await browser.agree();
  return { merchant, browser };
};

test('another roster than signer A has signed is no wallet', async () => {
  const { merchant, browser } = await agreed();
  const other = await agreed();
  const changed: Roster = { ...browser.result.roster, wallet: other.browser.result.roster.wallet };
  await isRefused(merchant, browser.confirm(merchant.passkey_id, { roster: changed }), 'roster_mismatch');
  const whole = { roster: other.browser.result.roster };
  await isRefused(merchant, browser.confirm(merchant.passkey_id, whole), 'roster_mismatch');
});

test('a signature of another key than the merchant’s own is none', async () => {
  const { merchant, browser } = await agreed();
  const stranger = base64(identityOf(randomBytes(32)).sign(rosterBytes(browser.result.roster)));
  const good = browser.result.signatures;
  for (const wrong of [{ C: stranger }, { R: stranger }, { C: good.R, R: good.C }]) {
    const signatures = { ...good, ...wrong };
    await isRefused(
      merchant,
      browser.confirm(merchant.passkey_id, { signatures }),
      'roster_signature_invalid',
    );
  }
  expect((await browser.confirm(merchant.passkey_id)).status).toBe(201);
});

test('what is said to be signer A’s signature is that of signer A', async () => {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  const stranger = identityOf(randomBytes(32));
  on.signer.answers = (answer, { step }) => {
    if (step !== 'finish') return answer;
    const { roster } = answer.message.body as { readonly roster: Roster };
    const roster_signature = base64(stranger.sign(rosterBytes(roster)));
    return { ...answer, message: { ...answer.message, body: { roster, roster_signature } } };
  };
  await browser.agree();
  await isRefused(merchant, browser.confirm(merchant.passkey_id), 'roster_signature_invalid');
});

test('strangers: the session of another merchant is not under way', async () => {
  const { browser } = await agreed();
  const other = await on.newMerchant();
  const stolen = on.browser(other);
  await stolen.agree();
  const { status, json } = await stolen.confirm(other.passkey_id, {
    ...{ session: browser.session, roster: browser.result.roster },
    signatures: browser.result.signatures,
  });
  expect([status, json.code, await on.addressOf(other.id)]).toEqual([409, 'ceremony_unknown', null]);
});

test('strangers: the passkey of another merchant, or one for signing in, wraps no share', async () => {
  const { merchant, browser } = await agreed();
  const others = (await on.newMerchant()).passkey_id;
  const login = await on.registerPasskey(merchant.id, 'login');
  for (const passkey_id of [others, login]) {
    const { status, json } = await browser.confirm(passkey_id);
    expect([status, json.code]).toEqual([403, 'passkey_unknown_credential']);
  }
  expect(await on.addressOf(merchant.id)).toBeNull();
});

test('a message that a carrier has changed ends the ceremony, and signer A says why', async () => {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  await browser.begin();
  const { stage } = on.shops;
  const forged = { message: { v: 1, kind: 'ceremony.begin' }, signature: base64(randomBytes(64)) };
  const { status, json } = await stage.send(
    'POST',
    '/api/v1/passkey-wallet/round-2',
    on.caller(merchant.id, merchant.link),
    { session: browser.session, round1: [forged, forged] },
  );
  expect([status, json.code]).toEqual([409, 'ceremony_failed']);
  expect(json.details.code).toMatch(/^dkg_/);
  expect((await browser.round2()).json.code).toBe('ceremony_unknown');
});

test('no share of the merchant is in what Tender receives or keeps', async () => {
  const merchant = await on.newMerchant();
  const seen: string[] = [];
  const browser = on.browser(merchant);
  on.signer.answers = (answer: Signed) => {
    seen.push(JSON.stringify(answer));
    return answer;
  };
  await browser.agree();
  await browser.confirm(merchant.passkey_id, { sealed_share_c: null });
  const kept = JSON.stringify(await on.events(merchant.id));
  for (const share of Object.values(browser.result.shares)) {
    const secret = Buffer.from(share.secret);
    for (const form of [secret.toString('hex'), base64(secret), secret.toString('base64url')]) {
      expect(kept + seen.join()).not.toContain(form);
    }
  }
  // The control: what would be found.
  expect(kept).toContain(browser.result.roster.commitments[0]);
});
