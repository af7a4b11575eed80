import { randomBytes } from 'node:crypto';
import * as browser from './browser';
import { base58, base64, bytesOfBase64, hasSigned, signerOf } from './index';

const seed = randomBytes(32);
const message = randomBytes(100);

it('signs as a server does, and each believes the other', () => {
  const [there, here] = [browser.signerOf(seed), signerOf(seed)];
  expect(there.address).toBe(here.address);
  expect(Buffer.from(there.sign(message))).toEqual(Buffer.from(here.sign(message)));
  expect(browser.hasSigned(here.address, message, here.sign(message))).toBe(true);
  expect(hasSigned(there.address, message, there.sign(message))).toBe(true);
});

it('keeps a seed of its own', () => {
  const given = Uint8Array.from(seed);
  const { sign } = browser.signerOf(given);
  given.fill(0);
  expect(Buffer.from(sign(message))).toEqual(Buffer.from(signerOf(seed).sign(message)));
});

it.each([
  ['another message', signerOf(seed).address, randomBytes(100), signerOf(seed).sign(message)],
  ['another key', base58(randomBytes(32)), message, signerOf(seed).sign(message)],
  ['no key', 'x', message, signerOf(seed).sign(message)],
  ['a short signature', signerOf(seed).address, message, randomBytes(63)],
  ['no signature', signerOf(seed).address, message, new Uint8Array()],
  ['a signature of zeros', signerOf(seed).address, message, new Uint8Array(64)],
])('neither believes %s', (_, address, said, signature) => {
  expect(browser.hasSigned(address, said, signature)).toBe(false);
  expect(hasSigned(address, said, signature)).toBe(false);
});

it.each(['', 'AA==', 'AB==', 'AAA', 'A A=', '?', 'AAAA\n', '-_==', 'AAEC', 'AAECAw=='])(
  'reads %p as a server does',
  (text) => {
    const [there, here] = [browser.bytesOfBase64(text), bytesOfBase64(text)];
    expect(there && [...there]).toEqual(here && [...here]);
  },
);

it('writes base64 as a server does', () => {
  for (let length = 0; length < 70; length += 1) {
    const bytes = randomBytes(length);
    expect(browser.base64(bytes)).toBe(base64(bytes));
  }
});
