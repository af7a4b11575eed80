import { randomBytes } from 'node:crypto';
import { base64, hasSigned } from '@tender/transactions';
import { keyShare } from './key-share';
import { openRecovery, recoveryKeyPair, sealForRecovery } from './recovery';
import { localKeyEncryption, openShare, sealShare, type KeyEncryption } from './share-at-rest';
import { ShareUnopened } from './share-unopened';
import { dealtWallet, signedTogether } from './testing';

const { roster, shares } = dealtWallet();
const { wallet } = roster;
const kek = localKeyEncryption(randomBytes(32));
const place = { wallet, role: 'A', epoch: 1 } as const;
const message = Buffer.from('a transfer');

const flipped = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64');
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  return base64(bytes);
};

describe('S49: a share at rest', () => {
  it('opens as it was, and signs', async () => {
    const sealed = await sealShare(shares.A, kek, place);
    const opened = await openShare(JSON.parse(JSON.stringify(sealed)), kek, place);
    expect(Buffer.from(opened.secret).equals(shares.A.secret)).toBe(true);
    const signature = signedTogether([opened, shares.B], message);
    expect(hasSigned(wallet, message, signature)).toBe(true);
  });

  it('shows nothing, and is never the same twice', async () => {
    const one = await sealShare(shares.A, kek, place);
    const two = await sealShare(shares.A, kek, place);
    expect(one.sealed).not.toBe(two.sealed);
    expect(one.wrapped_key).not.toBe(two.wrapped_key);
    const bytes = Buffer.from(one.sealed, 'base64');
    expect(bytes.includes(Buffer.from(shares.A.secret))).toBe(false);
  });

  it.each([
    ['another wallet', { wallet: dealtWallet().roster.wallet }],
    ['another role', { role: 'B' }],
    ['another epoch', { epoch: 2 }],
  ] as const)('does not open as one of %s', async (_, other) => {
    const sealed = await sealShare(shares.A, kek, place);
    await expect(openShare(sealed, kek, { ...place, ...other })).rejects.toThrow(ShareUnopened);
  });

  it('does not open under another key, nor under one that claims its id', async () => {
    const sealed = await sealShare(shares.A, kek, place);
    const stranger = localKeyEncryption(randomBytes(32));
    await expect(openShare(sealed, stranger, place)).rejects.toThrow(ShareUnopened);
    const impostor: KeyEncryption = { ...stranger, id: kek.id };
    await expect(openShare(sealed, impostor, place)).rejects.toThrow(ShareUnopened);
  });

  it('does not open after a key-encryption key of another id has wrapped its key', async () => {
    const sealed = await sealShare(shares.A, kek, place);
    const renamed: KeyEncryption = { ...kek, id: 'another' };
    const relabelled = { ...sealed, kek_id: 'another' };
    await expect(openShare(relabelled, renamed, place)).rejects.toThrow(ShareUnopened);
  });

  it('does not open where a byte was changed', async () => {
    const sealed = await sealShare(shares.A, kek, place);
    for (const name of ['sealed', 'wrapped_key'] as const) {
      for (const at of [0, 20, -1]) {
        const changed = { ...sealed, [name]: flipped(sealed[name], at) };
        await expect(openShare(changed, kek, place)).rejects.toThrow(ShareUnopened);
      }
      const none = { ...sealed, [name]: '' };
      await expect(openShare(none, kek, place)).rejects.toThrow(ShareUnopened);
    }
  });

  it('leaves neither its key nor its plain bytes behind', async () => {
    const seen: Uint8Array[] = [];
    const watching: KeyEncryption = {
      id: kek.id,
      wrap: (key) => (seen.push(key), kek.wrap(key)),
      unwrap: async (wrapped) => {
        const key = await kek.unwrap(wrapped);
        seen.push(key);
        return key;
      },
    };
    await openShare(await sealShare(shares.A, watching, place), watching, place);
    expect(seen.map((key) => key.every((byte) => byte === 0))).toEqual([true, true]);
  });
});

describe('a share for disasters', () => {
  const recovery = recoveryKeyPair();
  const sealed = sealForRecovery(shares.R, base64(recovery.public_key))!;

  it('carries all that signing takes', () => {
    const opened = openRecovery(recovery, sealed);
    expect(JSON.parse(JSON.stringify(opened))).toEqual({ role: 'R', wallet, epoch: 1 });
    const signature = signedTogether([opened, shares.A], message);
    expect(hasSigned(wallet, message, signature)).toBe(true);
  });

  it.each([0, 31, 32, 60, 90, -1])('does not open where byte %i was changed', (at) => {
    expect(() => openRecovery(recovery, flipped(sealed, at))).toThrow(ShareUnopened);
  });

  it('does not open with another key, and is not made for none', () => {
    expect(() => openRecovery(recoveryKeyPair(), sealed)).toThrow(ShareUnopened);
    expect(() => openRecovery(recovery, '')).toThrow(ShareUnopened);
    expect(sealForRecovery(shares.R, base64(new Uint8Array(32)))).toBeNull();
    expect(sealForRecovery(shares.R, 'no key')).toBeNull();
  });

  it('is refused where what was sealed is no share of its wallet', () => {
    const { commitments } = roster;
    const truth = { role: 'R', wallet, epoch: 1, secret: shares.R.secret, commitments } as const;
    const lies = [
      { secret: shares.A.secret },
      { wallet: dealtWallet().roster.wallet },
      { role: 'C' as never },
      { commitments: [] },
      { commitments: [7, 7] as never },
      { epoch: 'first' as never },
    ];
    const sealed_to = base64(recovery.public_key);
    for (const lie of lies) {
      const made = sealForRecovery(keyShare({ ...truth, ...lie }), sealed_to)!;
      expect(() => openRecovery(recovery, made)).toThrow('no share of its wallet');
    }
  });
});
