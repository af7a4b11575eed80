import { randomBytes } from 'node:crypto';
import { base64, bytesOfBase64, hasSigned } from '@tender/transactions';
import { ShareUnopened } from '../share-unopened';
import { signedTogether } from '../sign-together';
import { ownWallet } from '../testing';
import { unwrapShare, wrapShare } from './passkey-share';

const { shares } = ownWallet().of_merchant;
const { wallet, epoch } = shares.C;
const prf = randomBytes(32);
const isRefused = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => error instanceof ShareUnopened,
  );

it('opens by the secret of its passkey, and signs with R', async () => {
  const sealed = await wrapShare(shares.C, prf);
  const share = await unwrapShare(sealed, prf, { wallet, epoch });
  const message = Buffer.from('leaves');
  expect(hasSigned(wallet, message, signedTogether([share, shares.R], message))).toBe(true);
  expect(sealed).not.toBe(await wrapShare(shares.C, prf));
});

it('does not open by another passkey, for another wallet or epoch, or after a change', async () => {
  const sealed = await wrapShare(shares.C, prf);
  const other = ownWallet().of_merchant.shares.C;
  expect(await isRefused(unwrapShare(sealed, randomBytes(32), { wallet, epoch }))).toBe(true);
  expect(await isRefused(unwrapShare(sealed, prf, { wallet: other.wallet, epoch }))).toBe(true);
  expect(await isRefused(unwrapShare(sealed, prf, { wallet, epoch: 2 }))).toBe(true);
  const bytes = Buffer.from(bytesOfBase64(sealed) as Uint8Array);
  for (const place of [0, 20, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    expect(await isRefused(unwrapShare(base64(changed), prf, { wallet, epoch }))).toBe(true);
  }
  for (const none of ['', '?', 'AAAA']) {
    expect(await isRefused(unwrapShare(none, prf, { wallet, epoch }))).toBe(true);
  }
});

it('takes no secret of another length: a passkey without PRF gives none', async () => {
  expect(await isRefused(wrapShare(shares.C, new Uint8Array()))).toBe(true);
  expect(await isRefused(wrapShare(shares.C, randomBytes(16)))).toBe(true);
});

it('holds neither the share nor the secret of the passkey in clear', async () => {
  const sealed = await wrapShare(shares.C, prf);
  const bytes = Buffer.from(bytesOfBase64(sealed) as Uint8Array);
  expect(bytes.includes(Buffer.from(shares.C.secret))).toBe(false);
  expect(bytes.includes(prf)).toBe(false);
});
